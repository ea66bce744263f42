/** CONNECT, DISCONNECT and EVENT. We request no acknowledgements, and our clients send no binary. */
const expectedTypes = '012'
const longestNamespace = 64

/** Whether Socket.IO should see the packet at all. A packet it does not parse costs nothing. */
export function isExpectedPacket(data: unknown): boolean {
  if (typeof data !== 'string' || data === '' || !expectedTypes.includes(data.charAt(0))) return false
  if (data.charAt(1) !== '/') return true
  const end = data.indexOf(',')
  return (end === -1 ? data.length : end) - 1 <= longestNamespace
}
