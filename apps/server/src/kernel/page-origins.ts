/** More would be a mistake, such as a list of addresses instead of sites. */
const maxOrigins = 50

/** The origins in a comma-separated list, or undefined if one is not exactly an origin as browsers send it. */
export function parsePageOrigins(list: string): ReadonlySet<string> | undefined {
  const origins = list
    .split(',')
    .map((origin) => origin.trim())
    .filter(Boolean)
  return origins.length <= maxOrigins && origins.every(isOrigin) ? new Set(origins) : undefined
}

/** No pattern, no path, and not `null`, which any sandboxed frame and any local file would send. */
function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, origin } = new URL(text)
  return (protocol === 'https:' || protocol === 'http:') && origin === text
}
