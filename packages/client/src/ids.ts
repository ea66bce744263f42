/**
 * 128 random bits. Not `crypto.randomUUID`, because browsers offer it only over https, and laboratories use plain http on
 * a local network.
 */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
