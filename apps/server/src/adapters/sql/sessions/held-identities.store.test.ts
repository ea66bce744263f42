import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { describeOnBothEngines } from '../../../../test/stores/engines.ts'
import {
  aBatch,
  anEvent,
  completeRequest,
  joinRequest,
  oneDayMs,
  openExperiment,
  startOfTime,
} from '../../../../test/stores/samples.ts'
import { sealingKeysFrom } from '../../../kernel/sealed.ts'
import { heldIssuer } from '../../../modules/sessions/held-identity.plan.ts'
import { withHeldIdentities } from '../../../modules/sessions/held-identity.ts'

describeOnBothEngines('the store of sessions, before people consent', (engine) => {
  const keys = sealingKeysFrom(['a secret of sessions'])

  /** Somebody whose link says who they are, in an experiment that asks for consent. */
  async function stage(definition: Parameters<typeof openExperiment>[1] = {}) {
    const { database, rows, change } = engine()
    const experimentId = await openExperiment(database, definition)
    const sessions = withHeldIdentities(database.sessions, keys)
    const subject = `ann-${randomUUID()}`
    const person = { issuer: 'urn:test', subject }
    const metadata = { PROLIFIC_PID: `pid of ${subject}` }
    const join = async (now: number, as = subject) => {
      const expiresAt = now + oneDayMs
      const outcome = await sessions.join(
        joinRequest(experimentId, {
          ...{ needsConsent: true, metadata, now, expiresAt },
          person: { ...person, subject: as },
        }),
      )
      if (outcome.kind !== 'joined') throw new Error(outcome.kind)
      return outcome.session
    }
    /** Who they are, as far as the database says. */
    const known = () =>
      rows(
        `select issuer, subject, metadata, redirect_url from participant_identities natural join sessions natural join session_origins where experiment_id = '${experimentId}'`,
      )
    const settle = async (before: number) => {
      for (const participantId of await sessions.unsettledPeople(before))
        await sessions.settleIdentity({ participantId, before })
    }
    const consent = (...sessionIds: string[]) => {
      const given = [anEvent(1, { type: 'consent_given', data: '{}' })]
      const more = { needsConsent: true, sealing: keys }
      return database.events.append(sessionIds.map((sessionId) => aBatch(sessionId, given, more)))
    }
    /** As the previous release stores a consent, which knows nothing of what is held. */
    const consentAsBefore = (participantId: string) =>
      change(`update participants set consented_at = 1 where participant_id = '${participantId}'`)
    return {
      ...{ database, experimentId, sessions, person, metadata, join, known, settle },
      ...{ consent, consentAsBefore },
    }
  }

  test('[S57,S58] whoever declined is forgotten after a while, and is somebody new if they come again', async () => {
    const { experimentId, sessions, person, metadata, join, known, settle } = await stage()
    const { participantId } = await join(startOfTime)
    expect((await join(startOfTime + 1)).participantId).toBe(participantId)
    const session = await sessions.findNewest(person, experimentId)
    expect(session).toMatchObject({ metadata, userId: person.subject, isHeld: true })
    const redirectUrl = `https://example.org/?id=${metadata.PROLIFIC_PID}`
    const outcome = { outcome: 'NO_CONSENT', redirectUrl }
    expect(await sessions.complete(completeRequest(session?.sessionId ?? '', outcome))).toMatchObject({
      completion: { redirectUrl },
    })
    expect(await sessions.findNewest(person, experimentId)).toMatchObject({ completion: { redirectUrl } })
    expect(JSON.stringify(await known())).not.toContain(person.subject)
    await settle(startOfTime)
    await expect(join(startOfTime + 2)).rejects.toThrow('closed')
    await settle(startOfTime + 3)
    expect(await known()).toEqual([])
    expect((await join(startOfTime + 4)).participantId).not.toBe(participantId)
  })

  test('[S58] whoever lost their session before they answered is forgotten, and their place is free', async () => {
    const { database, experimentId, join, known, settle } = await stage({ capacity: 1 })
    const { sessionId } = await join(startOfTime)
    await settle(startOfTime + oneDayMs)
    expect(await known()).toHaveLength(1)
    await database.sessions.revoke({ sessionId, actor: 'ada', now: startOfTime + 1 })
    await settle(startOfTime + 1)
    expect(await known()).toHaveLength(1)
    await settle(startOfTime + 2)
    expect(await known()).toEqual([])
    expect(await database.experiments.find(experimentId)).toMatchObject({ participantCount: 0 })
    expect((await join(startOfTime + 3)).holdsPlace).toBe(true)
  })

  test('[S58] whoever completed without consent is forgotten even if they keep their place', async () => {
    const { database, experimentId, sessions, join, known, settle } = await stage({ capacity: 1 })
    const { sessionId } = await join(startOfTime)
    // A client that decides by itself may call the end a success.
    await sessions.complete(completeRequest(sessionId, { outcome: 'SUCCESS' }))
    await settle(startOfTime + 1)
    expect(await known()).toEqual([])
    expect(await database.experiments.find(experimentId)).toMatchObject({ participantCount: 1 })
  })

  test('[S61] whose consent the previous release has stored keeps their identity when they complete', async () => {
    const { sessions, person, metadata, join, known, consentAsBefore } = await stage()
    const { sessionId, participantId } = await join(startOfTime)
    await consentAsBefore(participantId)
    const redirectUrl = `https://example.org/?id=${metadata.PROLIFIC_PID}`
    const outcome = await sessions.complete(completeRequest(sessionId, { redirectUrl }))
    expect(outcome).toMatchObject({ kind: 'completed', completion: { redirectUrl } })
    expect(await known()).toEqual([
      { ...person, metadata: JSON.stringify(metadata), redirect_url: redirectUrl },
    ])
  })

  test('[S61] whose consent the previous release has stored is known from the next sweep on, not forgotten', async () => {
    const { database, person, metadata, join, known, settle, consentAsBefore } = await stage()
    const { sessionId, participantId } = await join(startOfTime)
    await consentAsBefore(participantId)
    const { issuer, subject } = person
    const revealed = [{ issuer, subject, metadata: JSON.stringify(metadata), redirect_url: '' }]
    // That release has also completed them, and given their place back.
    await database.sessions.complete(completeRequest(sessionId, { outcome: 'SCREENED_OUT' }))
    expect(await known()).toMatchObject([{ issuer: heldIssuer }])
    await settle(startOfTime + oneDayMs)
    expect(await known()).toEqual(revealed)
  })

  test('[S62] whoever has joined anew on the previous release can consent all the same, as another attempt', async () => {
    const { database, experimentId, sessions, person, join, known, consent } = await stage()
    const { sessionId, participantId } = await join(startOfTime)
    const other = await join(startOfTime + 1, `joined-${randomUUID()}`)
    await engine().change(
      `update participant_identities set issuer = '${person.issuer}', subject = '${person.subject}' where participant_id = '${other.participantId}'`,
    )
    const bystander = await join(startOfTime, `bystander-${randomUUID()}`)
    const outcomes = await consent(sessionId, bystander.sessionId)
    expect(outcomes).toMatchObject([{ kind: 'recorded' }, { kind: 'recorded' }])
    expect((await known()).filter(({ subject }) => subject === person.subject)).toHaveLength(2)
    expect((await known()).filter(({ issuer }) => issuer === heldIssuer)).toEqual([])
    // The newest consent is what they come back to.
    expect(await sessions.findNewest(person, experimentId)).toMatchObject({ participantId })
    expect(await database.sessions.history(person, startOfTime)).toHaveLength(2)
  })

  test('[S61] a consent that only other instances can open is left to them, until the participant is gone', async () => {
    const { database, join, known, consentAsBefore } = await stage()
    const { sessionId, participantId } = await join(startOfTime)
    await consentAsBefore(participantId)
    await database.sessions.complete(completeRequest(sessionId, { outcome: 'SCREENED_OUT' }))
    const settle = (before: number) =>
      withHeldIdentities(database.sessions, sealingKeysFrom(['another secret'])).settleIdentity({
        participantId,
        before,
      })
    await settle(startOfTime)
    expect(await known()).toMatchObject([{ issuer: heldIssuer }])
    await settle(startOfTime + 1)
    expect(await known()).toEqual([])
  })

  test('[S61] whoever consents or comes back after they were found to be gone keeps their identity', async () => {
    for (const returns of ['consents', 'joins again'] as const) {
      const { sessions, person, join, known, consent } = await stage()
      const { sessionId, participantId } = await join(startOfTime)
      await engine().change(
        `update participants set holds_place = 0 where participant_id = '${participantId}'`,
      )
      const before = startOfTime + 1
      expect(await sessions.unsettledPeople(before)).toContain(participantId)
      if (returns === 'consents') await consent(sessionId)
      else await join(startOfTime + 2)
      await sessions.settleIdentity({ participantId, before })
      const [first, ...others] = await known()
      expect(first).toMatchObject({ issuer: returns === 'consents' ? person.issuer : heldIssuer })
      expect(others).toHaveLength(returns === 'consents' ? 0 : 1)
    }
  })
})
