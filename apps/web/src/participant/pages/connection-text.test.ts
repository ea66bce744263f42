import type { ConnectionStatus } from '@atrium/client'
import { expect, test } from 'vitest'
import { texts } from '../../text/participant.ts'
import { connectionText } from './connection-text.ts'

const because = (reason: string): ConnectionStatus => ({
  kind: 'reconnecting',
  attempt: 1,
  delayMs: 500,
  because: reason,
})

test('a page tells people apart whose connection is lost and those whose study cannot store anything', () => {
  for (const page of [texts().room, texts().waiting]) {
    expect(connectionText(because('transport close'), page)).toBe(page.connectionLost)
    expect(connectionText(because('UNAVAILABLE'), page)).toBe(page.unavailable)
    expect(connectionText({ kind: 'connected' }, page)).toBeNull()
    expect(connectionText({ kind: 'connecting' }, page)).toBeNull()
  }
})
