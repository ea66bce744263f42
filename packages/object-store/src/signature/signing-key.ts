import { createHmac, timingSafeEqual } from 'node:crypto'

/** `<date>/<region>/s3/aws4_request` */
export interface Scope {
  /** yyyymmdd */
  date: string
  region: string
}

export const scopeText = ({ date, region }: Scope): string => `${date}/${region}/s3/aws4_request`

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

/** The key of one day and region; the secret itself never signs a request. */
export const signingKey = (secretAccessKey: string, { date, region }: Scope): Buffer =>
  hmac(hmac(hmac(hmac(`AWS4${secretAccessKey}`, date), region), 's3'), 'aws4_request')

export const sign = (key: Buffer, stringToSign: string): string => hmac(key, stringToSign).toString('hex')

const signature = /^[0-9a-f]{64}$/

/** In constant time, so that nobody can find a signature byte by byte. */
export const isSignature = (expected: string, given: string): boolean =>
  signature.test(given) && timingSafeEqual(Buffer.from(expected, 'hex'), Buffer.from(given, 'hex'))
