import { describe, expect, test } from 'vitest'
import { describeOnBothEngines } from '../../../../test/stores/engines.ts'
import {
  aBatch,
  anEvent,
  exportAll,
  joined,
  openExperiment,
  recordedAt,
  startOfTime,
} from '../../../../test/stores/samples.ts'
import { pseudonymOf } from '../../../kernel/ids.ts'
import type { EventToStore } from '../../../modules/events/events.store.ts'

describeOnBothEngines('events', (engine) => {
  /** A new experiment with as many sessions as wanted. */
  async function sessionsOf(count: number) {
    const { database } = engine()
    const experimentId = await openExperiment(database)
    const sessions = []
    for (let index = 0; index < count; index++)
      sessions.push(await joined(database, experimentId, { now: startOfTime + index }))
    const ids = sessions.map(({ sessionId }) => sessionId)
    const stored = async () => (await exportAll(database, experimentId)).lines
    const numbers = async (sessionId = '') =>
      (await stored())
        .filter((line) => line.sessionId === pseudonymOf(sessionId))
        .map((line) => [line.seq, line.data.value])
    return { append: database.events.append, ids, first: ids[0] ?? '', stored, numbers, database }
  }

  test('[R19] events get sequence numbers from 1, across batches', async () => {
    const { append, first, numbers } = await sessionsOf(1)
    expect(await append([aBatch(first, [anEvent(1), anEvent(2)])])).toEqual([recordedAt(2)])
    expect(await append([aBatch(first, [anEvent(3)], { receivedAt: startOfTime + 9 })])).toEqual([
      recordedAt(1, startOfTime + 9),
    ])
    expect(await numbers(first)).toEqual([
      [1, 1],
      [2, 2],
      [3, 3],
    ])
  })

  test('[R18] one group of many sessions, several batches each, keeps the order of each session', async () => {
    const { append, ids, numbers } = await sessionsOf(5)
    const group = [1, 2, 3].flatMap((round) =>
      ids.map((id) => aBatch(id, [anEvent(10 * round), anEvent(10 * round + 1)])),
    )
    expect(await append(group)).toEqual(group.map(() => recordedAt(2)))
    for (const id of ids)
      expect(await numbers(id)).toEqual([10, 11, 20, 21, 30, 31].map((number, index) => [index + 1, number]))
  })

  test('[R18] the same key and body get the first answer, in one group and later', async () => {
    const { append, first, numbers } = await sessionsOf(1)
    const batch = aBatch(first, [anEvent(1)], { idempotencyKey: 'k "1"\\', bodyHash: 'h' })
    const later = { ...batch, receivedAt: startOfTime + 5_000 }
    expect(await append([batch, later])).toEqual([recordedAt(1), recordedAt(1)])
    expect(await append([later])).toEqual([recordedAt(1)])
    expect(await numbers(first)).toEqual([[1, 1]])
  })

  test('[R18] a key belongs to its session alone', async () => {
    const { append, ids, stored } = await sessionsOf(2)
    const keyed = { idempotencyKey: 'shared', bodyHash: 'h' }
    await append(ids.map((id, index) => aBatch(id, [anEvent(index)], { ...keyed, bodyHash: `h${index}` })))
    expect(await stored()).toHaveLength(2)
  })

  test('[R18,E4] a key with another body is refused; the others of the group are stored', async () => {
    const { append, ids, first, numbers } = await sessionsOf(2)
    const key = { idempotencyKey: 'k1', bodyHash: 'one' }
    await append([aBatch(first, [anEvent(1)], key)])
    const outcomes = await append([
      aBatch(ids[1] ?? '', [anEvent(7)]),
      aBatch(first, [anEvent(2), anEvent(3)], { ...key, bodyHash: 'two' }),
      aBatch(first, [anEvent(4)]),
    ])
    expect(outcomes).toEqual([recordedAt(1), { kind: 'conflict', key: 'k1' }, recordedAt(1)])
    expect(await numbers(first)).toEqual([
      [1, 1],
      [2, 4],
    ])
    expect(await numbers(ids[1])).toEqual([[1, 7]])
  })

  test('[R18] an event id is stored once per participant; a retry gets the time of the first receipt', async () => {
    const { append, ids, first, numbers } = await sessionsOf(2)
    const named = anEvent(1, { eventId: 'e-1 “quoted”' })
    expect(await append([aBatch(first, [named, named])])).toEqual([recordedAt(2)])
    expect(await append([aBatch(first, [named], { receivedAt: startOfTime + 1 })])).toEqual([recordedAt(1)])
    expect(await append([aBatch(first, [named, anEvent(2)], { receivedAt: startOfTime + 2 })])).toEqual([
      recordedAt(2, startOfTime + 2),
    ])
    expect(await append([aBatch(ids[1] ?? '', [{ ...named, data: '{"value":9}' }])])).toEqual([recordedAt(1)])
    expect(await numbers(first)).toEqual([
      [1, 1],
      [2, 2],
    ])
  })

  test('[R18] an event id is kept across a resumed session: reply and session lost, sent again, stored once', async () => {
    const { database } = engine()
    const experimentId = await openExperiment(database)
    const person = { issuer: 'urn:test', subject: `resumed-${experimentId}` }
    const before = await joined(database, experimentId, { person })
    const named = anEvent(1, { eventId: 'e' })
    await database.events.append([aBatch(before.sessionId, [named])])
    const after = await joined(database, experimentId, { person, now: startOfTime + 5 })
    const again = aBatch(after.sessionId, [named, anEvent(2)], { receivedAt: startOfTime + 9 })
    expect(await database.events.append([again])).toEqual([recordedAt(2, startOfTime + 9)])
    const { lines } = await exportAll(database, experimentId)
    expect(lines.map(({ sessionId, eventId, data }) => [sessionId, eventId, data.value])).toEqual([
      [pseudonymOf(before.sessionId), 'e', 1],
      [pseudonymOf(after.sessionId), null, 2],
    ])
  })

  test('[R18,E4] an event id with other content refuses its whole batch and nothing else', async () => {
    const { append, first, numbers } = await sessionsOf(1)
    await append([aBatch(first, [anEvent(1, { eventId: 'e' })])])
    const outcomes = await append([
      aBatch(first, [anEvent(2), anEvent(3, { eventId: 'e' })], { idempotencyKey: 'k', bodyHash: 'h' }),
      aBatch(first, [anEvent(4)], { idempotencyKey: 'k', bodyHash: 'other' }),
    ])
    expect(outcomes).toEqual([{ kind: 'conflict', key: 'e' }, recordedAt(1)])
    expect(await numbers(first)).toEqual([
      [1, 1],
      [2, 4],
    ])
  })

  test('[R20] a sealed or unknown stream takes nothing; a known key still gets its answer', async () => {
    const { append, ids, first, stored, database } = await sessionsOf(2)
    const keyed = aBatch(first, [anEvent(1)], { idempotencyKey: 'k', bodyHash: 'h' })
    await append([keyed])
    await database.sessions.revoke({ sessionId: first, actor: 'tester', now: startOfTime })
    const outcomes = await append([
      aBatch(first, [anEvent(2)]),
      keyed,
      aBatch('sess_unknown', [anEvent(3)]),
      aBatch(ids[1] ?? '', [anEvent(4)]),
    ])
    expect(outcomes).toEqual([{ kind: 'sealed' }, recordedAt(1), { kind: 'sealed' }, recordedAt(1)])
    expect(await stored()).toHaveLength(2)
  })

  test('an empty group does nothing', async () => {
    expect(await engine().database.events.append([])).toEqual([])
  })

  test('[I7] texts and numbers come back exactly as they were sent', async () => {
    const { append, first, stored } = await sessionsOf(1)
    const data = {
      emoji: '👩‍🔬🇪🇺 naïve 漢字',
      quotes: `"double" 'single' \`back\``,
      backslashes: 'C:\\new\\table \\u0041 \\\\',
      control: 'nul:\u0000 bell:\u0007 tab:\t line:\r\n ls:\u2028',
      loneSurrogate: 'half \ud83d pair',
      sql: `'); drop table events; --`,
      json: '{"nested":"\\u0000"}',
      numbers: [2 ** 53 - 1, -(2 ** 53) + 1, 2 ** 63, 1e21, 5e-324, Number.MAX_VALUE, 0.1 + 0.2, -1e-7],
      mixed: [null, true, false, '', [], {}],
      'ключ "key" \u0000': 1,
      __order: { b: 1, a: 2, 10: 3, 2: 4 },
    }
    const extra = { confidence: 0.1, 'strange "name"': '\u0000 👋 \\' }
    const sent = anEvent(1, {
      eventId: `id 👋 "q" \\ '`,
      type: 'key_press.v1:a-b',
      stateId: 'état "1" \\',
      componentId: '組 %s $1 :name ?',
      timestamp: 8_640_000_000_000_000,
      data: JSON.stringify(data),
      flags: 'unknown_state unknown_component',
      extra: JSON.stringify(extra),
    })
    await append([aBatch(first, [sent])])
    const [line] = await stored()
    expect(line).toMatchObject({
      eventId: sent.eventId,
      type: sent.type,
      stateId: sent.stateId,
      componentId: sent.componentId,
      timestamp: sent.timestamp,
      flags: ['unknown_state', 'unknown_component'],
    })
    expect(JSON.stringify(line?.data)).toBe(sent.data)
    expect(JSON.stringify(line?.extra)).toBe(sent.extra)
    // The stored event must also be recognised as the same one, or a retry would be refused.
    expect(await append([aBatch(first, [sent])])).toEqual([recordedAt(1)])
  })

  test('a group of many large batches is one transaction and loses nothing', async () => {
    const { append, ids, numbers } = await sessionsOf(4)
    const events = Array.from({ length: 500 }, (_, index) => anEvent(index))
    expect(await append(ids.map((id) => aBatch(id, events)))).toEqual(ids.map(() => recordedAt(500)))
    for (const id of ids) expect(await numbers(id)).toEqual(events.map((_, index) => [index + 1, index]))
  })

  describe('[S43,R38] consent is checked under the lock', () => {
    const withdrawal = { type: 'consent_declined', data: '{}' }
    const agreement = { type: 'consent_given', data: '{}' }
    async function consenting(needsConsent = true) {
      const { database } = engine()
      const experimentId = await openExperiment(database)
      const { sessionId } = await joined(database, experimentId, { needsConsent })
      const send = async (...events: Partial<EventToStore>[]) => {
        const batch = events.map((event, index) => anEvent(index, event))
        const [outcome] = await database.events.append([aBatch(sessionId, batch, { needsConsent: true })])
        return outcome?.kind
      }
      const types = async () => (await exportAll(database, experimentId)).lines.map(({ type }) => type)
      return { database, sessionId, send, types }
    }

    test('nothing is stored before it is given, or after it is withdrawn', async () => {
      const { database, sessionId, send, types } = await consenting()
      expect(await send({})).toBe('without_consent')
      expect(await send({ ...agreement, eventId: 'agreed' }, {})).toBe('recorded')
      expect(await send(withdrawal, {})).toBe('without_consent')
      const group = [[withdrawal], [{}]].map((events) =>
        aBatch(
          sessionId,
          events.map((event) => anEvent(1, event)),
          { needsConsent: true },
        ),
      )
      const outcomes = await database.events.append(group)
      expect(outcomes.map(({ kind }) => kind)).toEqual(['recorded', 'without_consent'])
      // An answer that is only repeated is not the newest.
      expect(await send({ ...agreement, eventId: 'agreed' }, {})).toBe('without_consent')
      expect(await types()).toEqual(['consent_given', 'component_response', 'consent_declined'])
    })

    test('[S13] people who joined before it was enforced are exempt', async () => {
      const { send, types } = await consenting(false)
      expect(await send({})).toBe('recorded')
      expect(await types()).toEqual(['component_response'])
    })

    test('an event that races the withdrawal is stored before it or refused', async () => {
      const { send, types } = await consenting()
      await send(agreement)
      const sent = [...Array(10).fill({}), withdrawal, ...Array(10).fill({})]
      const outcomes = await Promise.all(sent.map((event) => send(event)))
      const stored = await types()
      expect(stored.at(-1)).toBe('consent_declined')
      expect(stored).toHaveLength(1 + outcomes.filter((kind) => kind === 'recorded').length)
    })
  })
})
