import { errorCatalogue, limits, participantRoutes } from '@atrium/contract'
import { codeOf, describeInBothModes, smallestDefinition, waitUntil } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { tableIn } from '../rooms/table.ts'
import { openRaw, type RawConnection } from '../security/raw-http.ts'

const photo = { id: 'photo', type: 'file_upload', accept: ['image/*'] }
const study = smallestDefinition({ name: 'Photos', states: [{ id: 'ask', components: [photo] }] })
const path = participantRoutes.fileV4.path.replace(':componentId', 'photo')
const head =
  '--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n'
const end = '\r\n--x--\r\n'
const fileBytes = 400_000
/** A slow line: 4 kB/s, four times what the server asks for. */
const line = { bytes: 2_000, everyMs: 500 }
const perPerson = 4

describeInBothModes(
  'files that arrive slowly',
  (world) => {
    const table = tableIn(world)
    const join = async (experimentId: string) => (await table.join(experimentId)).sessionId

    /** Begins to send a file over a slow line. */
    function begin(sessionId: string) {
      const connection = openRaw(table.server().http)
      const headers = [
        `POST ${path} HTTP/1.1`,
        'Host: localhost',
        'User-Agent: atrium-test/1.0',
        `X-Session-Id: ${sessionId}`,
        'Content-Type: multipart/form-data; boundary=x',
        `Content-Length: ${head.length + fileBytes + end.length}`,
      ]
      connection.write(`${headers.join('\r\n')}\r\n\r\n${head}`)
      let leftBytes = fileBytes
      const sendMore = (bytes: number): void => {
        connection.write('x'.repeat(bytes))
        leftBytes -= bytes
      }
      const slowly = setInterval(() => sendMore(Math.min(leftBytes, line.bytes)), line.everyMs)
      const stop = (): void => clearInterval(slowly)
      connection.socket.on('close', stop)
      return {
        ...connection,
        /** The rest at once. */
        async finish(): Promise<number | undefined> {
          stop()
          sendMore(leftBytes)
          connection.write(end)
          return (await connection.answers()).at(0)?.status
        },
      }
    }
    const answered = <Sent extends RawConnection>(connections: readonly Sent[]): Sent[] =>
      connections.filter(({ socket }) => socket.bytesRead > 0)

    test('[FI8] people who hold all places with slow files keep out neither others of their study nor another study', async () => {
      const [crowded, other] = await Promise.all([table.open(study), table.open(study)])
      const crowd = limits.answerFilesArriving / perPerson
      const people = await Promise.all(Array.from({ length: crowd }, () => join(crowded)))
      // One more than they may send, so that we see when all others have their places.
      const sent = people.flatMap((who) => Array.from({ length: perPerson + 1 }, () => begin(who)))
      await waitUntil(() => answered(sent).length === crowd || `${answered(sent).length} are refused`)
      const held = sent.filter(({ socket }) => socket.bytesRead === 0)
      expect(held).toHaveLength(limits.answerFilesArriving)

      const newcomers = [begin(await join(crowded)), begin(await join(other))]
      await waitUntil(() => answered(held).length === newcomers.length || `${answered(held).length} yielded`)
      expect(await Promise.all(newcomers.map(({ finish }) => finish()))).toEqual([200, 200])
      const yielded = answered(held)
      for (const connection of yielded) {
        const [answer] = await connection.answers()
        expect([answer?.status, answer && codeOf(answer)]).toEqual([
          errorCatalogue.UNAVAILABLE.status,
          'UNAVAILABLE',
        ])
        expect(answer?.headers.has('retry-after')).toBe(true)
      }
      const kept = held.filter((connection) => !yielded.includes(connection)).slice(0, 5)
      expect(await Promise.all(kept.map(({ finish }) => finish()))).toEqual(kept.map(() => 200))
      expect(answered(held)).toHaveLength(newcomers.length + kept.length)
      for (const { socket } of sent) socket.destroy()
    })

    test('[FI8][R10] a classroom behind one address sends at the same time, and nobody is refused for it', async () => {
      const experimentId = await table.open(study)
      const pupils = await Promise.all(Array.from({ length: 40 }, () => join(experimentId)))
      const files = pupils.map(begin)
      expect(await Promise.all(files.map(({ finish }) => finish()))).toEqual(pupils.map(() => 200))
    })
  },
  { servers: 1, objects: true },
)
