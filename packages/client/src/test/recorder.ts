// A program that records, for tests that kill it: node recorder.ts <baseUrl> <folder> <from> <to>
import { createFileQueue } from '../node/file-queue.ts'
import { createParticipant } from '../participant.ts'

const [baseUrl = '', folder = '', from, to] = process.argv.slice(2)
const participant = createParticipant({
  baseUrl,
  getIdToken: () => 'ann',
  queueStore: createFileQueue({ folder }),
})
await participant.join('x')
const recording: Promise<string>[] = []
for (let number = Number(from); number <= Number(to); number++)
  recording.push(participant.record({ type: 'click', eventId: `e${number}`, timestamp: number }))
await Promise.all(recording)
console.log('recorded')
await participant.flush()
await participant.close()
console.log('flushed')
