// Generates a client into the folder `platform`. With .ts in its imports Node.js runs it as it is; a bundler needs no extension.
export default {
  input: `${process.env.BASE_URL}/api/v1/openapi.json`,
  output: { path: 'platform', importFileExtension: '.ts' },
};
