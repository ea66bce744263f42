import { Value } from 'typebox/value'
import { expect, test } from 'vitest'
import { roomActions } from '../room/actions.ts'
import { actionRefusals, socketEvents, socketNamespaces } from '../room/sockets.ts'
import { syncActions } from '../room/sync.ts'
import { waitingActions } from '../room/waiting.ts'
import { buildAsyncApi } from './asyncapi.ts'

const document = buildAsyncApi({ version: '1.2.3' })

test('[R24] every action that the server accepts is documented, in its namespace, and no other', () => {
  const documented = Object.fromEntries(
    Object.values(document.channels).map(({ address, messages }) => [
      address,
      Object.keys(messages).filter((name) => document.operations[name]?.action === 'receive'),
    ]),
  )
  expect(documented).toEqual({
    '/waiting': Object.keys(waitingActions),
    '/experiment': Object.keys(roomActions),
    '/sync': ['clock_ping', ...Object.keys(syncActions)],
  })
})

test('[R25] [R26] [R27] every event that the server can send is documented, and no other', () => {
  const sent = Object.values(document.operations).flatMap(({ action, messages }) =>
    action === 'send' ? messages.map(({ $ref }) => $ref.split('/').at(-1)) : [],
  )
  expect(new Set(sent)).toEqual(new Set(Object.keys(socketEvents)))
})

test('every reference in the document leads somewhere', () => {
  const at = (pointer: string): unknown =>
    pointer
      .slice(2)
      .split('/')
      .reduce<unknown>((value, step) => Reflect.get(Object(value), step), document)
  const refs = [...JSON.stringify(document).matchAll(/"\$ref":"(#[^"]+)"/g)].map(([, ref]) => ref ?? '')
  expect(refs.length).toBeGreaterThan(50)
  expect(refs.filter((ref) => at(ref) === undefined)).toEqual([])
})

test('examples match the schemas that the server parses with', () => {
  const exampleOf = (name: string) => document.components.messages[name]?.examples[0]?.payload
  for (const { actions } of socketNamespaces)
    for (const [name, { payload, acknowledgement }] of Object.entries(actions)) {
      expect(Value.Errors(payload, exampleOf(name)), name).toEqual([])
      expect(Value.Errors(acknowledgement, exampleOf(`${name}.acknowledgement`)), name).toEqual([])
    }
  for (const [name, schema] of Object.entries(socketEvents))
    expect(Value.Errors(schema, exampleOf(name)), name).toEqual([])
})

test('examples say something: no text is a stopgap', () => {
  expect(JSON.stringify(document)).not.toContain('"welcome"')
})

test('what an action is refused with is documented', () => {
  for (const operation of Object.values(document.operations))
    if (operation.action === 'receive')
      expect(operation['x-refusals']).toEqual(expect.arrayContaining([...actionRefusals]))
})
