import { connect } from 'node:net'
import { keyRoutes, liveRoutes, type NewKey, shareRoutes } from '@atrium/contract'
import {
  codeOf,
  createApi,
  createPerson,
  describeInOneMode,
  openWaitingSocket,
  succeeded,
  waitUntil,
} from '@atrium/testkit'
import { expect, test } from 'vitest'
import { openLiveStream } from '../rooms/live-stream.ts'
import { acknowledged, tableIn } from '../rooms/table.ts'

const talk = {
  name: 'Talk',
  matching: { groupSize: 2 },
  states: [{ id: 'talk', components: [{ id: 'chat', type: 'chat' }] }],
}

describeInOneMode('Whoever watches an experiment', (world) => {
  const table = tableIn(world)
  const address = () => table.server().http
  const keyOf = async (token: string, body: Partial<NewKey> = {}) =>
    succeeded(
      await table.api.call(keyRoutes.create, { token, body: { name: 'Script', access: 'read', ...body } }),
    )
  const pathTo = (experimentId: string) => liveRoutes.stream.path.replace(':experimentId', experimentId)

  test('[R49] [RM145] watches with a key as long as it is valid, and only what it is for', async () => {
    const [experimentId, other] = [await table.open(talk), await table.open(talk)]
    const { token } = await table.researcher()
    const limited = await keyOf(token, { experiments: [other] })
    expect(
      codeOf(await table.api.call(liveRoutes.stream, { token: limited.key, params: { experimentId } })),
    ).toBe('EXPERIMENT_NOT_FOUND')
    ;(await openLiveStream(address(), other, limited.key)).close()
    const expiring = await openWithKeyThatExpires(experimentId, token)
    const revoked = await keyOf(token)
    const unwanted = await openLiveStream(address(), experimentId, revoked.key)
    succeeded(await table.api.call(keyRoutes.revoke, { token, params: { keyId: revoked.keyId } }))
    for (const stream of [expiring, unwanted]) expect(await stream.ended).toBe('ended')
  })

  /** As soon as this machine permits: a key that has expired before the stream is open gets a successor that lasts longer. */
  async function openWithKeyThatExpires(experimentId: string, token: string) {
    for (let lifeMs = 2_000; ; lifeMs *= 2) {
      const { key } = await keyOf(token, { expiresAt: new Date(Date.now() + lifeMs).toISOString() })
      const opened = await openLiveStream(address(), experimentId, key).catch((error: unknown) => {
        if (!String(error).includes('401') || lifeMs > 120_000) throw error
      })
      if (opened) return opened
    }
  }

  test('[RM145] takes no place by asking only for the head, or by hanging up at once', async () => {
    const experimentId = await table.open(talk)
    const token = await table.api.token('watches-in-vain', ['researcher'])
    const { token: owner } = await table.researcher()
    succeeded(
      await table.api.call(shareRoutes.replace, {
        token: owner,
        params: { experimentId },
        body: { shares: [{ user: 'watches-in-vain', access: 'view' }] },
      }),
    )
    const { hostname, port, host } = new URL(address())
    for (let nth = 0; nth < 15; nth++) {
      const head = await fetch(address() + pathTo(experimentId), {
        method: 'HEAD',
        headers: { authorization: `Bearer ${token}` },
      })
      expect([head.status, await head.text()]).toEqual([200, ''])
      const lines = [
        `GET ${pathTo(experimentId)} HTTP/1.1`,
        `host: ${host}`,
        `authorization: Bearer ${token}`,
      ]
      const socket = connect(Number(port), hostname)
      await new Promise<void>((resolve) => {
        socket.write(`${lines.join('\r\n')}\r\n\r\n`, () => resolve(void socket.destroy()))
      })
    }
    const streams: Awaited<ReturnType<typeof openLiveStream>>[] = []
    // Whoever hung up last may still be on their way out.
    await waitUntil(async () => {
      while (streams.length < 10) streams.push(await openLiveStream(address(), experimentId, token))
      return true as const
    })
    for (const { close } of streams) close()
  })

  test('[R59] learns of nobody who they are', async () => {
    const experimentId = await table.open(talk)
    const { token } = await table.researcher()
    const stream = await openLiveStream(address(), experimentId, token)
    const { sessions } = await table.seat(experimentId, 2)
    const [ada, ben] = await Promise.all(sessions.map((session) => table.connect(session)))
    if (!ada || !ben) throw new Error('two people sit in the room')
    const secret = sessions[0]?.sessionId ?? ''
    await acknowledged(ada.act('send_message', { componentId: 'chat', text: `I am ${secret}, <b>Ada</b>` }))
    const cleo = await createPerson(createApi(address()))
    const waiting = await cleo.join(experimentId, { metadata: { PROLIFIC_PID: 'prolific-of-cleo' } })
    const queue = openWaitingSocket(address(), waiting)
    const live = await stream.until(
      ({ words, waiting: { people } }) => words.length === 1 && people === 1,
      'not everything is seen',
    )
    expect(live.words[0]?.text).toMatch(/^I am ses_[\w-]{22}, <b>Ada<\/b>$/)
    expect(live.waiting.first).toEqual([
      { participantId: waiting.participantId, role: expect.any(String), since: expect.any(Number) },
    ])
    const polled = await table.api.call(liveRoutes.read, { token, params: { experimentId } })
    for (const text of [stream.text(), polled.text])
      for (const hidden of [secret, waiting.sessionId, 'prolific-of-cleo', cleo.token])
        expect(text).not.toContain(hidden)
    for (const { close } of [stream, ada, ben, queue]) close()
  })
})
