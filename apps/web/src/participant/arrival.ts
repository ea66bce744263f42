import { isPreview, isUnfilledPlaceholder } from '@atrium/contract'

/** What the address of the page asks for. */
export type Arrival =
  | { kind: 'studies' }
  | { kind: 'join'; experimentId: string; visitor: Visitor }
  /** The room page that the contract defines. This browser remembers its experiment, or it is looked up. */
  | { kind: 'room'; roomId: string; visitor: Visitor }
  /** A worker of Mechanical Turk looks at the HIT and has not accepted it. */
  | { kind: 'preview' }
  | { kind: 'nothing' }

/** The visitor, as the recruiting site describes them. */
interface Visitor {
  /** `prolific:5f…`; undefined without a recruiting site. */
  externalId: string | undefined
  role: string | undefined
  /** The language that the link asks for, if any: `?lang=de`. */
  languages: string[]
  /** They want to take part with their account, even where guests are allowed. */
  hasAccount: boolean
  /** All parameters of the address, stored at the join for the researcher. */
  metadata: Record<string, string>
}

/** Recruiting sites, with the parameter that identifies a person. */
const recruiters = [
  { source: 'prolific', parameter: 'PROLIFIC_PID' },
  { source: 'sona', parameter: 'sona_id' },
  { source: 'mturk', parameter: 'workerId' },
  { source: 'link', parameter: 'participant' },
]

/** Our own parameters, which say nothing about the person. */
const ownParameters = ['roomId', 'pod', 'role', 'account', 'lang']
/** Join metadata is limited to 8 KiB; a longer link is cut rather than refused. */
const maxBytes = 6_000

export function arrivalAt(pathname: string, search: string): Arrival {
  const query = new URLSearchParams(search)
  if (pathname === '/') return { kind: 'studies' }
  if (pathname === '/experiment') return roomIn(query)
  const experimentId = /^\/join\/([^/]+)\/?$/.exec(pathname)?.[1]
  if (experimentId === undefined) return { kind: 'nothing' }
  return isPreview(Object.fromEntries(query))
    ? { kind: 'preview' }
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
    return !ownParameters.includes(name) && bytes <= maxBytes
  })
  return {
    externalId: recruiter && externalId ? `${recruiter.source}:${externalId.slice(0, 200)}` : undefined,
    role: query.get('role') ?? undefined,
    languages: query.getAll('lang').slice(0, 1),
    hasAccount: query.has('account'),
    metadata: {
      ...Object.fromEntries(given),
      ...(recruiter && externalId && { source: recruiter.source, externalId }),
    },
  }
}

/** A link opened by hand or in a preview still has its placeholders, which identify nobody. */
const isId = (value: string | null): boolean => !!value && !isUnfilledPlaceholder(value)

/** The link of a study for people who take part with their account. */
export const linkWithAccount = (experimentId: string): string =>
  `/join/${encodeURIComponent(experimentId)}?account`

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment // A stray % is not in any of our ids; the platform answers that there is no such study.
  }
}
