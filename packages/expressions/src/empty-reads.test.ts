import { describe, expect, test } from 'vitest'
import type { Names } from './check-expression.ts'
import { withoutEmptyReads } from './empty-reads.ts'
import { scope, valueOfText } from './test/example-scope.ts'

const forms: Record<string, ReturnType<NonNullable<Names['responseForms']>>> = {
  mood: [{ type: 'number' }],
  'some id': [{ type: 'string' }],
  contribution: [{ type: 'number' }],
  habits: [{ type: 'object', properties: { read: { type: 'string' } }, additionalProperties: false }],
  page: [{ type: 'object' }],
}
const declared = {
  components: new Set([...Object.keys(forms), 'talk']),
  responseForms: (id: string) => forms[id],
  silent: new Set(['talk']),
}
const without = (text: string) => withoutEmptyReads(text, declared)

describe('[F181] what has always been empty is written as null, or as an empty list', () => {
  test.each([
    ['response.mood.responseTime', 'null'],
    ["response['mood']['rt'] == null", 'null == null'],
    ["if(response.mood.rt == null, 'slow', response.mood)", "if(null == null, 'slow', response.mood)"],
    ['response.habits.sing.loud', 'null'],
    ['responses.contribution[0].value', 'null'],
    ["[response.mood.rt, response['some id'].length, a]", '[null, null, a]'],
    ['count(responses.talk)', 'count([])'],
    ['response.talk == null || a > 1', 'null == null || a > 1'],
  ])('%s', (text, expected) => {
    expect(without(text)?.text).toBe(expected)
    expect(valueOfText(expected, scope)).toEqual(valueOfText(text, scope))
  })

  test('and it says why', () => {
    expect(without('response.mood.rt')?.reads).toMatchObject([
      {
        written: 'response.mood.rt',
        message: expect.stringContaining('‘response.mood’ has no ‘rt’; it is a number'),
      },
    ])
  })

  test.each([
    ['response.mood', 'it is not empty'],
    ['response.habits.read', 'the response has it'],
    ['response.page.anything', 'the response can have anything'],
    ['nested.response.mood.rt', 'it is a field of a variable'],
    ["'response.mood.rt'", 'it is text'],
    ['response.nobody.rt', 'there is no such component, which was always refused'],
    ['1 + response.mood.rt', 'a number and null cannot be added'],
    ['response.mood.rt +', 'it is no expression'],
  ])('%s stays, because %s', (text) => {
    expect(without(text)).toBeUndefined()
  })
})
