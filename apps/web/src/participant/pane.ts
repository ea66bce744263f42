/** The pane of a try in which this page is shown; empty everywhere else. */
export function seatIn({ pathname, search }: { pathname: string; search: string }): string {
  return /^\/try\//.test(pathname) ? (new URLSearchParams(search).get('seat') ?? '').slice(0, 20) : ''
}

/** Panes of one try share the storage of their tab, so that each needs names of its own. */
export const inThisPane = (
  name: string,
  address: { pathname: string; search: string } = location,
): string => {
  const seat = seatIn(address)
  return seat === '' ? name : `${name}@${seat}`
}
