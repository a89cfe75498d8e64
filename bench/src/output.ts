export const say = (text: string) => void process.stdout.write(`${text}\n`);

export const tell = (line: string) => void process.stderr.write(`${line}\n`);
