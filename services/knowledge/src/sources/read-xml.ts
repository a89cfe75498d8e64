import { AnswerTooLarge, readAtMost } from '@action-platform/outbound-http';

/** The most bytes of a page: 1000 keys of 1024 bytes, each written as three, take 3 MiB. */
const PAGE_BYTES = 4 * 1024 * 1024;
/** The most tags of a page; 1000 keys with all that S3 says of each have half of them. */
const PAGE_TAGS = 50_000;
/** The most bytes from one tag to the next; the longest key takes 3 KiB. */
const TEXT_BYTES = 16 * 1024;
const TAG = '<'.charCodeAt(0);

/**
 * Reads a page of XML, or an error. The parser of the SDK takes time and memory for each tag, and 32 bytes of memory for each character
 * of a text, so a page is bounded in these too: eight MiB of one text would end the process.
 *
 * @throws AnswerTooLarge
 */
export async function readXml(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const page = await readAtMost(PAGE_BYTES, body);
  let tags = 0;
  for (let at = 0; at < page.length; ) {
    const found = page.indexOf(TAG, at);
    const next = found < 0 ? page.length : found;
    if (++tags > PAGE_TAGS) throw new AnswerTooLarge(`The page has more than ${PAGE_TAGS} tags.`);
    if (next - at > TEXT_BYTES)
      throw new AnswerTooLarge(`The page has a text of more than ${TEXT_BYTES} bytes.`);
    at = next + 1;
  }
  return page;
}
