import type { LiveExperiment, LivePush } from '@atrium/contract'

/** More than fill the screen; with a quiet study they reach back hours. */
const maxWords = 200

/** Calls `onPush` for each message of the stream. Anything that arrives, comments too, is reported to `onSign`. */
export async function readPushes(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onPush: (push: LivePush) => void,
  onSign: () => void = () => undefined,
): Promise<void> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    onSign()
    const lines = (rest + decoder.decode(value, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines)
      if (line.startsWith('data: ')) onPush(JSON.parse(line.slice('data: '.length)) as LivePush)
  }
}

/** What is known after a message. */
export function applied(before: LiveExperiment | undefined, push: LivePush): LiveExperiment {
  const { isWhole, gone, ...live } = push
  if (isWhole || !before) return live
  const changed = new Map(live.rooms.map((room) => [room.roomId, room]))
  const known = new Set(before.rooms.map(({ roomId }) => roomId))
  const isGone = new Set(gone)
  const said = new Set(live.words.map(({ roomId, number }) => `${roomId} ${number}`))
  return {
    ...live,
    rooms: [
      ...live.rooms.filter(({ roomId }) => !known.has(roomId)),
      ...before.rooms
        .filter(({ roomId }) => !isGone.has(roomId))
        .map((room) => changed.get(room.roomId) ?? room),
    ],
    // The page may have asked for the same in the meantime.
    words: [
      ...live.words,
      ...before.words.filter(({ roomId, number }) => !said.has(`${roomId} ${number}`)),
    ].slice(0, maxWords),
  }
}
