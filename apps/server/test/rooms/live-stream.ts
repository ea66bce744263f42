import { type LiveExperiment, type LivePush, liveRoutes } from '@atrium/contract'
import { eventsIn, waitUntil } from '@atrium/testkit'

/** The live stream of an experiment, read as the console reads it. */
export async function openLiveStream(http: string, experimentId: string, token: string) {
  const stopping = new AbortController()
  const path = liveRoutes.stream.path.replace(':experimentId', experimentId)
  const response = await fetch(http + path, {
    headers: { authorization: `Bearer ${token}` },
    signal: stopping.signal,
  })
  if (!response.body || response.status !== 200)
    throw new Error(`refused: ${response.status} ${await response.text()}`)
  let text = ''
  const ended = read(response.body).then(
    () => 'ended' as const,
    () => 'broken' as const,
  )
  async function read(body: ReadableStream<Uint8Array>): Promise<void> {
    for await (const chunk of body.pipeThrough(new TextDecoderStream())) text += chunk
  }
  const pushes = () => eventsIn(text) as LivePush[]
  const stream = {
    ended,
    text: () => text,
    pushes,
    /** What somebody who has read all of it knows. */
    now: (): LiveExperiment => pushes().reduce(applied),
    /** Waits until what was read so far says so. */
    async until(isThere: (live: LiveExperiment) => boolean, why: string): Promise<LiveExperiment> {
      await waitUntil(() => (pushes().length > 0 && isThere(stream.now())) || why)
      return stream.now()
    },
    close: () => stopping.abort(),
  }
  return stream
}

function applied(before: LivePush, push: LivePush): LivePush {
  if (push.isWhole) return push
  const changed = new Set([...push.gone, ...push.rooms.map(({ roomId }) => roomId)])
  return {
    ...push,
    rooms: [...push.rooms, ...before.rooms.filter(({ roomId }) => !changed.has(roomId))],
    words: [...push.words, ...before.words],
  }
}
