/**
 * 128 random bits. Not `crypto.randomUUID`: browsers offer it on https only, and laboratories run on plain http in a
 * local network.
 */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
