import { randomBytes } from 'node:crypto'

/** R46: every key of ours begins so, so that people and secret scanners recognise it. */
const prefix = 'atr_'
const secretBytes = 32

export const newApiKey = (): string => prefix + randomBytes(secretBytes).toString('base64url')

/** 32 bytes are 43 characters in base64url. */
export const isApiKey = (text: unknown): text is string =>
  typeof text === 'string' && /^atr_[A-Za-z0-9_-]{43}$/.test(text)
