/** The media types (IANA) of files by the ends of their names. */
const types: Readonly<Record<string, string>> = {
  ...{ txt: 'text/plain', log: 'text/plain', md: 'text/markdown', csv: 'text/csv', ics: 'text/calendar' },
  ...{ html: 'text/html', htm: 'text/html', css: 'text/css', js: 'text/javascript', mjs: 'text/javascript' },
  ...{ tsv: 'text/tab-separated-values', rtf: 'application/rtf', eml: 'message/rfc822' },
  ...{ json: 'application/json', xml: 'application/xml', yaml: 'application/yaml', yml: 'application/yaml' },
  ...{ pdf: 'application/pdf', zip: 'application/zip', gz: 'application/gzip' },
  ...{ png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg', gif: 'image/gif', webp: 'image/webp' },
  ...{ svg: 'image/svg+xml', mp3: 'audio/mpeg', mp4: 'video/mp4', webm: 'video/webm' },
  ...{ doc: 'application/msword', xls: 'application/vnd.ms-excel', ppt: 'application/vnd.ms-powerpoint' },
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
};

/** The media type of a file, by its name. @param isText whether its content is known to be text */
export function mediaTypeOf(path: string, isText: boolean): string {
  const ending = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  const known = Object.hasOwn(types, ending) ? types[ending] : undefined;
  return known ?? (isText ? 'text/plain' : 'application/octet-stream');
}
