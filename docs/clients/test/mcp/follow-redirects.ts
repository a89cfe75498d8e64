const MOST_REDIRECTS = 20;

/** Follows the redirects of a sign-in, as a browser with cookies does, to an address that begins so. */
export async function followRedirects(start: URL, end: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let url = start;
  for (let redirects = 0; !url.href.startsWith(end); redirects++) {
    if (redirects === MOST_REDIRECTS) throw new Error(`The sign-in does not end: ${url.pathname}`);
    const Cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { Cookie } });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!;
      cookies.set(name!, value!);
    }
    const location = response.headers.get('location');
    if (location === null) throw new Error(`${url.pathname}: ${response.status}: ${await response.text()}`);
    url = new URL(location, url);
  }
  return url;
}
