import { waitUntil } from '@atrium/testkit'
import { WebSocket } from 'ws'

/** A server that starts with these options says on stderr where its inspector listens. */
export const inspecting = '--inspect=127.0.0.1:0'

/** Asks the server's V8, through its inspector. */
export async function collectGarbage(stderr: string): Promise<void> {
  const address = /Debugger listening on (ws:\S+)/.exec(stderr)?.[1]
  if (address === undefined) throw new Error(`the server has no inspector: ${stderr}`)
  const inspector = new WebSocket(address)
  let isDone = false
  inspector.on('open', () => inspector.send('{"id":1,"method":"HeapProfiler.collectGarbage"}'))
  inspector.on('message', () => {
    isDone = true
  })
  await waitUntil(() => isDone || 'the garbage is not collected yet')
  inspector.close()
}
