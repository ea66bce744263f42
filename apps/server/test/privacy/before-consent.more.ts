import { randomUUID } from 'node:crypto'
import { experimentRoutes, participantRoutes, peopleRoutes, privacyRoutes } from '@atrium/contract'
import { createPerson, describeInBothModes, smallestDefinition, succeeded } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { tableIn } from '../rooms/table.ts'
import { sessionRow } from '../stories/database.ts'
import { tracesOf } from './traces.ts'

const study = smallestDefinition({
  consent: { text: 'Your answers are stored without your name.' },
  completion: { redirectUrl: 'https://example.org/{{code}}?id={{metadata.PROLIFIC_PID}}' },
})

describeInBothModes('Who somebody is, before they consent', (world) => {
  const table = tableIn(world)
  const { api } = table

  /** Joins by a link that says who they are. */
  async function arrive(experimentId: string, person = `sub-${randomUUID()}`) {
    const pid = `pid-${randomUUID()}`
    const { join, token } = await createPerson(api, person)
    const again = () => join(experimentId, { metadata: { PROLIFIC_PID: pid } })
    const session = await again()
    const answer = async (as: typeof session, type: 'consent_given' | 'consent_declined') =>
      succeeded(
        await api.call(participantRoutes.eventsV4, {
          session: as,
          body: { events: [{ type, timestamp: 1_700_000_000_000, data: {} }] },
        }),
      )
    return { pid, subject: person, token, session, again, answer }
  }
  /** What owners are told of who people are. */
  async function told(experimentId: string, participantId: string): Promise<string> {
    const { token } = await table.researcher()
    const answers = await Promise.all([
      api.call(experimentRoutes.export, { token, params: { experimentId }, query: { identity: 'true' } }),
      api.call(peopleRoutes.list, { token, params: { experimentId } }),
      api.call(privacyRoutes.export, { token, params: { experimentId, participantId } }),
    ])
    for (const answer of answers) succeeded(answer)
    return answers.map(({ text }) => text).join('\n')
  }
  const traces = async (...texts: string[]) =>
    (await Promise.all(texts.map((text) => tracesOf(world(), text)))).flat()

  test('[R94,S57] it is stored with the consent, and not before', async () => {
    const experimentId = await table.open(study)
    const { pid, subject, session, again, answer, token } = await arrive(experimentId)
    expect(await traces(pid, subject)).toEqual([])
    expect(await told(experimentId, session.participantId)).not.toMatch(new RegExp(`${pid}|${subject}`))
    // Whoever reloads the page before they answer is the same person.
    const reloaded = await again()
    expect(reloaded.participantId).toBe(session.participantId)
    const history = succeeded(await api.call(participantRoutes.historyV4, { token }))
    expect(history.data.sessions.map(({ experimentId }) => experimentId)).toEqual([
      experimentId,
      experimentId,
    ])
    expect(await traces(pid, subject)).toEqual([])

    await answer(reloaded, 'consent_given')
    const known = await told(experimentId, session.participantId)
    expect(known).toContain(pid)
    expect(known).toContain(subject)
    const { redirectUrl } = await table.complete(reloaded, 'SUCCESS')
    expect(redirectUrl).toBe(`https://example.org/SUCCESS?id=${pid}`)
  })

  test('[R94] whoever declines finds the way back, and leaves nothing but a count', async () => {
    const experimentId = await table.open(study)
    const { pid, subject, session, token, answer } = await arrive(experimentId)
    await answer(session, 'consent_declined')
    const given = await table.complete(session, 'NO_CONSENT')
    expect(given.redirectUrl).toBe(`https://example.org/NO_CONSENT?id=${pid}`)
    // The answer may have been lost on the way.
    expect(await table.complete(session, 'NO_CONSENT')).toEqual(given)
    expect(await traces(pid, subject)).toEqual([])
    expect(await told(experimentId, session.participantId)).not.toMatch(new RegExp(`${pid}|${subject}`))
    const { ipAddress, userAgent } = await sessionRow(world(), session.sessionId)
    expect([ipAddress, userAgent]).toEqual(['', ''])
    expect((await table.monitor(experimentId)).outcomes).toEqual({ NO_CONSENT: 1 })

    // Whoever opens the link again soon sees how it ended.
    const refused = await api.call(participantRoutes.joinV4, { token, body: { experimentId } })
    expect(JSON.parse(refused.text)).toMatchObject({
      error: {
        code: 'EXPERIMENT_CLOSED',
        details: { reason: 'already_completed', redirectUrl: given.redirectUrl },
      },
    })
  })

  test('[R94] a study that asks for no consent stores it at once', async () => {
    const experimentId = await table.open(smallestDefinition())
    const { pid, session } = await arrive(experimentId)
    expect(await told(experimentId, session.participantId)).toContain(pid)
  })
})
