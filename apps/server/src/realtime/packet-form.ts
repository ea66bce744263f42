/** CONNECT, DISCONNECT and EVENT. Nobody is asked for acknowledgements, and no client of ours sends binary. */
const expectedTypes = '012'
const longestNamespace = 64

/** Whether Socket.IO should see the packet at all. What it has not parsed costs nothing. */
export function isExpectedPacket(data: unknown): boolean {
  if (typeof data !== 'string' || data === '' || !expectedTypes.includes(data.charAt(0))) return false
  if (data.charAt(1) !== '/') return true
  const end = data.indexOf(',')
  return (end === -1 ? data.length : end) - 1 <= longestNamespace
}
