import { operationsRoutes, participantRoutes } from '@atrium/contract'
import { createPerson, numberedEvent, smallestDefinition, startWorld, succeeded } from '@atrium/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { acknowledged, refused, tableIn } from '../rooms/table.ts'
import { refusalOf } from './refusal.ts'

const talk = smallestDefinition({
  states: [{ id: 'talk', components: [{ id: 'rate', type: 'slider' }] }],
  globalComponents: [{ id: 'chat', type: 'chat' }],
  matching: { groupSize: 2 },
})

/** More than any disk has free: the server finds itself far below its floor. */
const noSpace = { MIN_FREE_BYTES: String(2 ** 50) }

test('[E28,RM182,S46] below the floor nobody new joins and nothing is collected, while people come back, leave and complete', async () => {
  const world = await startWorld('embedded')
  onTestFinished(world.stop)
  const table = tableIn(() => world)
  const { api } = table
  const solo = await table.open(smallestDefinition())
  const groups = await table.open(talk)
  const person = await table.join(solo)
  const { sessions } = await table.seat(groups, 2)
  const [ann] = sessions
  if (!ann) throw new Error('nobody has a seat')
  const send = (events: object[]) =>
    api.call(participantRoutes.eventsV4, { session: person, body: { events } })
  succeeded(await send([numberedEvent(1)]))
  expect(succeeded(await api.call(operationsRoutes.ready))).toMatchObject({ space: 'enough' })

  await world.any().restart(noSpace)
  const full = { status: 503, code: 'UNAVAILABLE', details: { reason: 'disk_full' } }
  const late = await send([numberedEvent(2)])
  expect(refusalOf(late)).toMatchObject(full)
  expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0)
  const { token } = await createPerson(api)
  const join = { token, body: { experimentId: solo } }
  expect(refusalOf(await api.call(participantRoutes.joinV4, join))).toMatchObject(full)
  // It is where people finish, so load balancers must not look elsewhere.
  expect(succeeded(await api.call(operationsRoutes.ready))).toMatchObject({ space: 'critical' })

  const socket = await table.connect(ann)
  expect(await refused(socket.act('send_message', { text: 'Hello' }))).toBe('UNAVAILABLE')
  expect(await refused(socket.act('submit_response', { componentId: 'rate', value: 1 }))).toBe('UNAVAILABLE')
  await acknowledged(socket.act('leave', {}))
  socket.close()
  succeeded(await send([{ type: 'consent_declined', timestamp: 1 }]))
  const back = await person.joinAgain()
  expect((await table.complete(back, 'SUCCESS')).outcome).toBe('SUCCESS')

  await world.any().restart({ MIN_FREE_BYTES: '0' })
  succeeded(await api.call(participantRoutes.joinV4, join))
  const events = await table.exported(solo)
  expect(events.map(({ type }) => type)).toEqual(['component_response', 'consent_declined'])
})
