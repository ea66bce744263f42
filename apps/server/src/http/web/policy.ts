import { isIP } from 'node:net'

/** Origins besides our own that pages may call. */
export interface CallableOrigins {
  /** By any page: where people sign in. */
  connectTo: readonly string[]
  /** By the console: where videos are uploaded. */
  uploadTo: readonly string[]
}

/** Researchers use pictures and media from anywhere; code comes only from us. */
const everyPage = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  'img-src * data: blob:',
  'media-src * data: blob:',
  "font-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
]

/**
 * The Content-Security-Policy of a page. Recruiting sites show studies in a frame, so only the console refuses to be
 * framed. Only our console frames a try.
 */
export function policyOf(page: string, { connectTo, uploadTo }: CallableOrigins, isTry = false): string {
  if (page === 'frame.html') return researchersFrame
  if (page === 'jspsych.html') return timelineFrame
  const rulesFor = (origins: readonly string[]) => [
    ...everyPage,
    `connect-src ${["'self'", ...new Set(origins)].join(' ')}`,
  ]
  if (page === 'console.html')
    return [...rulesFor([...connectTo, ...uploadTo]), "frame-ancestors 'none'"].join('; ')
  // Shows whatever the page around it sends, and calls nobody.
  if (page === 'preview.html') return [...rulesFor([]), "frame-ancestors 'self'"].join('; ')
  return [...rulesFor(connectTo), ...(isTry ? ["frame-ancestors 'self'"] : [])].join('; ')
}

/**
 * The researcher's own page inside a study: it may do anything, but from an origin of its own, even if somebody opens
 * its address directly. Whoever frames a study also frames this: a rule about ancestors would ask all of them. It shows
 * only what a page of ours sends it.
 */
const researchersFrame =
  "sandbox allow-scripts allow-forms; default-src * data: blob: 'unsafe-inline' 'unsafe-eval'"

/**
 * Where jsPsych runs: our own scripts and nobody else’s, from an origin of its own, without any connection. HTML of a
 * timeline may show pictures. Forms are needed, because plugins listen to their submission, but lead nowhere. It
 * does not ask who frames it, for the same reason.
 */
const timelineFrame = [
  'sandbox allow-scripts allow-forms',
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  'img-src * data: blob:',
  "font-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
].join('; ')

/** Where pages sign people in: the provider, and no other https site. */
export const signInOrigins = (issuer: string | undefined): string[] =>
  issuer === undefined ? [] : [new URL(issuer).origin]

export interface ObjectStoreAddress {
  /** Undefined = our own store, on the origin of the pages. */
  endpoint: string | undefined
  bucket: string
  forcePathStyle: boolean
}

/** Where presigned addresses lead: the object store, or the host of the bucket in it. Chosen as the S3 client chooses. */
export function uploadOrigins({ endpoint, bucket, forcePathStyle }: ObjectStoreAddress): string[] {
  if (endpoint === undefined) return []
  const { protocol, hostname, host, origin } = new URL(endpoint)
  const isAddress = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
  // No certificate covers a bucket with a dot in its name.
  const isInPath = forcePathStyle || isAddress || (protocol === 'https:' && bucket.includes('.'))
  return [isInPath ? origin : `${protocol}//${bucket}.${host}`]
}
