import { getCACertificates, setDefaultCACertificates } from 'node:tls';

/** Makes this process trust a further certificate authority, and returns what ends it. */
export function trusting(authority: string): () => void {
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, authority]);
  return () => setDefaultCACertificates(before);
}
