import { type TObject, Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { defaultTo, secret } from './annotations.ts'
import { componentTypeOf } from './catalogue.ts'
import { fillerFor, receivedSchemaOf, secretPathsIn } from './received.ts'

const read = (type: string, settings: Record<string, unknown>) => componentTypeOf(type).read(settings)

const settings: TObject = Type.Object({
  correct: secret(Type.String()),
  count: defaultTo(1, Type.Optional(Type.Integer())),
  questions: Type.Array(
    Type.Object({
      id: Type.String(),
      key: secret(Type.String()),
      open: defaultTo(true, Type.Optional(Type.Boolean())),
    }),
  ),
})

describe('settings as participants receive them', () => {
  test('an absent setting has the default of the catalogue', () => {
    expect(read('slider', {})).toMatchObject({ min: 0, max: 100, step: 1, showValue: true })
    expect(read('video', { src: '/a.mp4' })).toMatchObject({ autoplay: true, controls: false })
    expect(read('matrix', { rows: ['a'], columns: ['b'] })).toMatchObject({ allRows: true })
    expect(read('instructions', {})).toMatchObject({ pages: [], questions: [], maxAttempts: 3 })
  })

  test('a component can be read without its secrets, but not if it is invalid', () => {
    const questions = [{ id: 'q', options: ['a', 'b'] }]
    expect(read('instructions', { questions })).toMatchObject({ questions: [{ id: 'q', multiple: false }] })
    expect(read('instructions', { questions: [{}] })).toBeUndefined()
    expect(componentTypeOf('instructions').fits({ questions })).toBe(false)
  })

  test('defaults are filled in at any depth, unknown settings are left out, and the input is not changed', () => {
    const given = { count: undefined, questions: [{ id: 'a' }, { id: 'b', open: false }], more: 1 }
    expect(fillerFor(settings)(given)).toEqual({
      count: 1,
      questions: [
        { id: 'a', open: true },
        { id: 'b', open: false },
      ],
    })
    expect(given.questions).toEqual([{ id: 'a' }, { id: 'b', open: false }])
  })

  test('secrets are found by path, and the received schema does not require them', () => {
    expect(secretPathsIn(settings)).toEqual(['correct', 'questions/*/key'])
    expect(JSON.parse(JSON.stringify(receivedSchemaOf(settings)))).toMatchObject({
      required: ['questions'],
      properties: { questions: { items: { required: ['id'] } } },
    })
  })
})
