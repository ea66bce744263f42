import { isUnfilledPlaceholder } from '../placeholder.ts'

/** Recruiting sites, with the parameter of their links that identifies a person. */
export const recruitingSites = [
  { site: 'prolific', parameter: 'PROLIFIC_PID' },
  { site: 'sona', parameter: 'sona_id' },
  { site: 'mturk', parameter: 'workerId' },
] as const
export type RecruitingSite = (typeof recruitingSites)[number]['site']

/** What recruiting sites put into their links that leads to one person. */
export const identifyingParameters: ReadonlySet<string> = new Set([
  ...recruitingSites.map(({ parameter }) => parameter),
  ...['externalId', 'SESSION_ID', 'assignmentId', 'email'],
])

/** The site that sent somebody, by the parameters of the link that the page stores at the join. */
export function siteOf(metadata: Record<string, unknown>): RecruitingSite | undefined {
  const named = recruitingSites.find(({ site }) => site === metadata.source)
  return (named ?? recruitingSites.find(({ parameter }) => isId(metadata[parameter])))?.site
}

/** The id of a person at their site. X46: the one that a guest’s token was issued for comes first. */
export function idAtSite(site: RecruitingSite, metadata: Record<string, unknown>): string | undefined {
  const { externalId } = metadata
  const prefix = `${site}:`
  if (typeof externalId === 'string' && externalId.startsWith(prefix)) return externalId.slice(prefix.length)
  if (metadata.source === site && isId(externalId)) return externalId
  const parameter = recruitingSites.find((one) => one.site === site)?.parameter
  const id = parameter && metadata[parameter]
  return isId(id) ? id : undefined
}

const isId = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && !isUnfilledPlaceholder(value)

/** MTurk’s `assignmentId` before a worker has accepted the HIT. */
const previewAssignment = 'ASSIGNMENT_ID_NOT_AVAILABLE'

/** Whether a worker only looks at the HIT; nobody joins in a preview. */
export const isPreview = (metadata: Record<string, unknown>): boolean =>
  metadata.assignmentId === previewAssignment

/** Where MTurk takes assignments. `turkSubmitTo` comes with the link, so anybody could name another host there. */
export const mturkOrigins = [
  'https://www.mturk.com',
  'https://workersandbox.mturk.com',
  'https://worker.mturk.com',
] as const
const submitPath = '/mturk/externalSubmit'

/** The address that submits an assignment; undefined without an assignment or with a host that is not MTurk’s. */
export function mturkSubmission(metadata: Record<string, unknown>, code: string): string | undefined {
  const { assignmentId, turkSubmitTo } = metadata
  if (!isId(assignmentId) || isPreview(metadata) || typeof turkSubmitTo !== 'string') return undefined
  if (!URL.canParse(turkSubmitTo)) return undefined
  const { origin, username, password } = new URL(turkSubmitTo)
  if (!mturkOrigins.some((known) => known === origin) || username || password) return undefined
  return `${origin}${submitPath}?${new URLSearchParams({ assignmentId: assignmentId.toWellFormed(), completionCode: code })}`
}

/** How a page leaves for an address. */
export type Exit =
  | { kind: 'link'; url: string }
  /** MTurk takes assignments only from a form. */
  | { kind: 'form'; action: string; fields: [name: string, value: string][] }

export function exitTo(redirectUrl: string): Exit {
  if (!URL.canParse(redirectUrl)) return { kind: 'link', url: redirectUrl }
  const { origin, pathname, searchParams } = new URL(redirectUrl)
  return mturkOrigins.some((known) => known === origin) && pathname === submitPath
    ? { kind: 'form', action: origin + pathname, fields: [...searchParams] }
    : { kind: 'link', url: redirectUrl }
}
