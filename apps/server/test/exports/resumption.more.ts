import { createHash } from 'node:crypto'
import { auditRoutes, type ExportFormat, privacyRoutes } from '@atrium/contract'
import { describeInBothModes, succeeded } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { castOf } from '../stories/cast.ts'
import { askForFile, expectToContinue, resumeOf } from './continued.ts'

const study = {
  states: [{ id: 'one', components: [{ id: 'note', type: 'text_input', kind: 'paragraph' }] }],
}
const long = 'ü'.repeat(30_000)
const answersOf = (person: number) =>
  Array.from({ length: 8 }, (_, index) => ({
    type: 'component_response',
    timestamp: 1_700_000_000_000,
    stateId: 'one',
    componentId: 'note',
    // Does not compress to nothing, so that every format has several pages.
    data: {
      value: `${createHash('sha512').update(`${person} ${index}`).digest('hex').repeat(40)} ${long}`,
    },
  }))

const files: Record<string, string>[] = [
  { format: 'psych-ds' },
  { format: 'jsonl', identity: 'true' },
  { table: 'codebook', format: 'csv' },
  { table: 'agent_turns', format: 'jsonl' },
  ...['events', 'participants', 'responses'].flatMap((table) =>
    (['jsonl', 'csv', 'parquet'] satisfies ExportFormat[]).map((format) => ({ table, format })),
  ),
]

describeInBothModes('downloads that continue', (world) => {
  const cast = castOf(world)

  const wanted = async (experimentId: string, query: Record<string, string>) => {
    const { token } = await cast.researcher()
    return { http: world().any().http, token, experimentId, query }
  }
  const ask = async (experimentId: string, query: Record<string, string>) =>
    await askForFile(await wanted(experimentId, query))

  async function openStudy(people: number) {
    const experimentId = await cast.open(study as never)
    const participants = []
    for (let person = 0; person < people; person++) {
      const participant = await cast.participant(experimentId)
      await cast.send(participant.session, answersOf(person))
      participants.push(participant)
    }
    return { experimentId, participants }
  }

  const codeIn = (content: Buffer) => JSON.parse(content.toString()).code

  test('[D20] what is there and the rest are the file, byte for byte, in every table and format', async () => {
    const { experimentId } = await openStudy(3)
    for (const query of files) await expectToContinue(await wanted(experimentId, query))
  })

  test('[D20] a beginning that has changed is refused, however little of it', async () => {
    const { experimentId, participants } = await openStudy(2)
    const query = { table: 'events', format: 'parquet' }
    const whole = await ask(experimentId, query)
    const held = whole.content.subarray(0, whole.content.length - 100)
    const altered = Buffer.from(held)
    altered.writeUInt8((altered.readUInt8(5_000) + 1) % 256, 5_000)
    const longer = Buffer.concat([whole.content, Buffer.from('x')])
    for (const other of [altered, longer]) {
      const { status, content } = await ask(experimentId, { ...query, resume: resumeOf(whole.id, other) })
      expect({ status, code: codeIn(content) }).toEqual({ status: 409, code: 'EXPORT_CHANGED' })
    }
    const { token } = await cast.researcher()
    const participantId = participants[0]?.session.participantId ?? ''
    const params = { experimentId, participantId }
    succeeded(await cast.api.call(privacyRoutes.erase, { token, params, query: { scope: 'all' } }))
    const after = await ask(experimentId, { ...query, resume: resumeOf(whole.id, held) })
    expect(codeIn(after.content)).toBe('EXPORT_CHANGED')
  })

  test('[D20] what comes to be after the beginning is in the rest', async () => {
    const { experimentId } = await openStudy(1)
    const query = { table: 'events', format: 'csv' }
    const whole = await ask(experimentId, query)
    const later = await cast.participant(experimentId)
    await cast.send(later.session, answersOf(1))
    const rest = await ask(experimentId, { ...query, resume: resumeOf(whole.id, whole.content) })
    const now = await ask(experimentId, query)
    expect(rest.content.length).toBeGreaterThan(0)
    expect(Buffer.concat([whole.content, rest.content]).equals(now.content)).toBe(true)
  })

  test('[D13] an archive is about people who joined before it was begun; of some of them it has no calls of models', async () => {
    const { experimentId } = await openStudy(1)
    const whole = await ask(experimentId, { format: 'psych-ds' })
    await cast.participant(experimentId)
    const held = whole.content.subarray(0, 100)
    const rest = await ask(experimentId, { format: 'psych-ds', resume: resumeOf(whole.id, held) })
    expect(Buffer.concat([held, rest.content]).equals(whole.content)).toBe(true)
    // A ZIP file names its entries in the clear.
    const open = await ask(experimentId, { format: 'psych-ds', status: 'open' })
    const hasCalls = [whole, open].map(({ content }) => content.includes('agentTurns_data.csv'))
    expect(hasCalls).toEqual([true, false])
  })

  test('[D20] it is audited as what it is, and what makes no sense is refused in a sentence', async () => {
    const { experimentId } = await openStudy(1)
    const whole = await ask(experimentId, { table: 'responses', format: 'csv' })
    const resume = resumeOf(whole.id, whole.content.subarray(0, 10))
    expect((await ask(experimentId, { table: 'responses', format: 'csv', resume })).status).toBe(200)
    const token = await cast.api.token('chief', ['admin'])
    const { entries } = succeeded(await cast.api.call(auditRoutes.list, { token, query: { limit: '500' } }))
    const [latest] = entries.filter(
      ({ action, subject }) => action === 'responses_exported' && subject === experimentId,
    )
    expect(latest?.details).toMatchObject({ format: 'csv', continuedAtByte: 10 })
    expect(JSON.stringify(entries)).not.toContain(resume.split('-')[2])

    const nobodyKnows = resumeOf('zzzzzzzz', Buffer.alloc(0))
    for (const wrong of ['', 'x', '1-2-3', `${resume}0`, `A${resume}`, nobodyKnows, '9'.repeat(5_000)])
      expect((await ask(experimentId, { resume: wrong })).status).toBe(400)
    expect((await ask(experimentId, { resume, cursor: 'start' })).status).toBe(400)
  })
})
