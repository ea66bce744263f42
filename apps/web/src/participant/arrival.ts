import { isUnfilledPlaceholder } from '@atrium/contract'

/** What an address asks for. */
export type Arrival =
  | { kind: 'studies' }
  | { kind: 'join'; experimentId: string; visitor: Visitor }
  /** The contract’s page of a room; which experiment it belongs to is remembered, or asked for. */
  | { kind: 'room'; roomId: string; visitor: Visitor }
  | { kind: 'nothing' }

/** Who comes, as the site that sent them says it. */
interface Visitor {
  /** `prolific:5f…`; undefined when nobody sent them. */
  externalId: string | undefined
  role: string | undefined
  /** They have an account and want to take part with it, where guests could. */
  hasAccount: boolean
  /** Everything in the address, for the researcher: it is joined with. */
  metadata: Record<string, string>
}

/** Recruiting sites, by the parameter that they name a person with. */
const recruiters = [
  { source: 'prolific', parameter: 'PROLIFIC_PID' },
  { source: 'sona', parameter: 'sona_id' },
  { source: 'mturk', parameter: 'workerId' },
  { source: 'link', parameter: 'participant' },
]

/** Of our own: they say where, not who. */
const ownParameters = ['roomId', 'pod', 'role', 'account']
/** Join metadata may have 8 KiB; a link that carries more is cut rather than refused. */
const mostBytes = 6_000

export function arrivalAt(pathname: string, search: string): Arrival {
  const query = new URLSearchParams(search)
  if (pathname === '/') return { kind: 'studies' }
  if (pathname === '/experiment') return roomIn(query)
  const experimentId = /^\/join\/([^/]+)\/?$/.exec(pathname)?.[1]
  return experimentId === undefined
    ? { kind: 'nothing' }
    : { kind: 'join', experimentId: decoded(experimentId), visitor: visitorIn(query) }
}

function roomIn(query: URLSearchParams): Arrival {
  const roomId = query.get('roomId') ?? ''
  return /^room_[\w-]+$/.test(roomId)
    ? { kind: 'room', roomId, visitor: visitorIn(query) }
    : { kind: 'nothing' }
}

function visitorIn(query: URLSearchParams): Visitor {
  const recruiter = recruiters.find(({ parameter }) => isId(query.get(parameter)))
  const externalId = recruiter && query.get(recruiter.parameter)
  let bytes = 0
  const given = [...query].filter(([name, value]) => {
    bytes += new TextEncoder().encode(JSON.stringify([name, value])).length
    return !ownParameters.includes(name) && bytes <= mostBytes
  })
  return {
    externalId: recruiter && externalId ? `${recruiter.source}:${externalId.slice(0, 200)}` : undefined,
    role: query.get('role') ?? undefined,
    hasAccount: query.has('account'),
    metadata: {
      ...Object.fromEntries(given),
      ...(recruiter && externalId && { source: recruiter.source, externalId }),
    },
  }
}

/** A link that was opened by hand, or in a preview, still has its placeholders: they name nobody. */
const isId = (value: string | null): boolean => !!value && !isUnfilledPlaceholder(value)

/** The link of a study for somebody who has signed in and stays so. */
export const linkWithAccount = (experimentId: string): string =>
  `/join/${encodeURIComponent(experimentId)}?account`

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment // A stray % is no experiment of ours; the platform says so.
  }
}
