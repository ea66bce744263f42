import { Type } from 'typebox'
import { VideoRecord } from './video.ts'

/** The namespace `/console`, on any instance: news for researchers' pages. It ends when the ID token expires. */
export const ConsoleAuth = Type.Object({
  idToken: Type.String({ minLength: 1, maxLength: 8_192, description: 'ID token of a researcher' }),
})

/** Pushed events by name. Everybody receives only what they may see. */
export const consoleEvents = {
  /** The record as `GET /api/videos/<videoId>` returns it to this person; progress at most once a second. */
  'video:updated': VideoRecord,
} as const
