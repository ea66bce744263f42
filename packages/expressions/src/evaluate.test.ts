import { describe, expect, it } from 'vitest'
import { scope, valueOfText } from './test/example-scope.ts'
import type { Value } from './value.ts'
import { boundedWork, isSpent } from './work.ts'

describe('precedence', () => {
  it.each<[string, Value]>([
    ['1 + 2 * 3', 7],
    ['(1 + 2) * 3', 9],
    ['10 - 2 - 3', 5],
    ['12 / 2 * 3', 18],
    ['7 % 4 * 2', 6],
    ['-a + b', 1],
    ['-a * -b', 6],
    ['!yes == false', true],
    ['!(a == b)', true],
    ['1 + 1 < 3', true],
    ['1 < 2 == true', true],
    ['a == 2 && b == 3', true],
    ['true || false && false', true],
    ['(true || false) && false', false],
    ['false ? 1 : true ? 2 : 3', 2],
    ['a > 1 ? a + 1 : b', 3],
    ['a == 1 || b == 3 ? 1 : 0', 1],
    ['-list[0]', -3],
    ['nested.inner.deep + 1', 8],
  ])('[F3] %s', (text, expected) => {
    expect(valueOfText(text)).toEqual(expected)
  })
})

describe('values', () => {
  it.each<[string, Value]>([
    ['response.mood', 40],
    ["response['some id']", 'here'],
    ['responses.contribution', [5, 10, 0]],
    ['responses.contribution[1]', 10],
    ['response.nothing', null],
    ['responses.nothing', []],
    ['[role, round, visit, state, participants, ready, condition]', ['buyer', 2, 4, 'offer', 3, 1, null]],
    ['round(round + 0.5)', 3],
    ['unknown', null],
    ['unknown.inner', null],
    ["nested['inner']['deep']", 7],
    ['[1, [2, 3]][1][0]', 2],
    ['list[3]', null],
    ['list[-1]', null],
    ['list[0.5]', null],
    ["list['0']", null],
    ['1 / 0', null],
    ['1 % 0', null],
    ['0 / -1', 0],
    ['1e308 * 10', null],
    ['nothing(1)', null],
    ['abs()', null],
    ["'it\\'s'", "it's"],
  ])('[F4] %s', (text, expected) => {
    expect(valueOfText(text)).toStrictEqual(expected)
  })

  it.each<[string, Value]>([
    ["1 == '1'", false],
    ['null == false', false],
    ['unknown == null', true],
    ['[1, [2]] == [1, [2]]', true],
    ['[1, 2] != [2, 1]', true],
    ['nested == [1]', false],
    ["'a' < 'b'", true],
    ["'a' < 1", null],
    ['null < 1', null],
    ["'Round ' + round", 'Round 2'],
    ['1 + true', null],
    ["'a' + null", null],
    ["'a' + [1]", null],
    ["'a' - 'b'", null],
    ["-'a'", null],
    ['unknown || 5', 5],
    ['a && b', 3],
    ['0 || false', false],
    ['[] ? 1 : 2', 1],
    ["'' ? 1 : 2", 2],
    ['!null', true],
  ])('[F6] %s', (text, expected) => {
    expect(valueOfText(text)).toStrictEqual(expected)
  })

  it.each<[string, Value]>([
    ['min(list)', 1],
    ['min(3, a)', 2],
    ['max(list)', 3],
    ['max([])', null],
    ['sum(responses.contribution)', 15],
    ['sum([])', 0],
    ["sum([1, 'x'])", null],
    ['mean(1, 2, 6)', 3],
    ['mean([])', null],
    ['median([9, 1, 5])', 5],
    ['median(1, 2, 3, 10)', 2.5],
    ['count(list)', 3],
    ["count(['x', 'y', 'x'], 'x')", 2],
    ['count([null, 1], null)', 1],
    ['count(5)', null],
    ['round(2.5)', 3],
    ['round(-2.5)', -3],
    ['round(1.005, 2)', 1.01],
    ['round(1.5, 0.5)', null],
    ['round(0.0000001, 3)', 0],
    ['floor(-1.5)', -2],
    ['ceil(-1.5)', -1],
    ['ceil(-0.5)', 0],
    ['abs(-3)', 3],
    ["length('abc') + length(list) + length(nested)", 8],
    ['length(5)', null],
    ['contains(list, 2)', true],
    ["contains('abc', 'bc')", true],
    ["contains('abc', 1)", null],
    ['contains([[1]], [1])', true],
    ['all([1, true])', true],
    ['all([])', true],
    ['any([0, null])', false],
    ['any([])', false],
    ['at(list, 0)', 3],
    ['at(list, -1)', 2],
    ['at(list, 9)', null],
    ['sort(list)', [1, 2, 3]],
    ["sort(['b', 'a', 'B'])", ['B', 'a', 'b']],
    ["sort([1, 'a'])", null],
    ['unique([1, [2], 1, [2]])', [1, [2]]],
    ['values([1])', null],
    ['without([3, 5, 3], 3)', [5, 3]],
    ['without([3, [5]], [5])', [3]],
    ['without([3], 4)', [3]],
    ["without('abc', 'a')", null],
    ['sd([2, 4, 4, 4, 5, 5, 7, 9])', 2.138089935299395],
    ['sd([1])', null],
    ['pow(2, 10)', 1024],
    ['pow(0, -1)', null],
    ['sqrt(9)', 3],
    ['sqrt(-1)', null],
    ['log(1)', 0],
    ['log(0)', null],
    ['exp(2)', 7.3890560989307],
    ["lower('ÄB') + upper('ä')", 'äbÄ'],
    ['lower(1)', null],
    ['append(list, [4])', [3, 1, 2, [4]]],
    ["append('a', 1)", null],
    ['index([3, [5]], [5])', 1],
    ['index(list, 9)', null],
    ['rank([10, 30, 30, 20], 20)', 3],
    ['rank([10, 30, 30, 20], 30)', 1],
    ["rank([1, 'a'], 1)", null],
    ["join(['a', 1, true])", 'a, 1, true'],
    ["join(list, '')", '312'],
    ['join([[1]])', null],
    ['if(a > 1, a, 0)', 2],
    ["if('', 1, if(0, 2, 3))", 3],
    ['list', [3, 1, 2]],
  ])('[F7] %s', (text, expected) => {
    expect(valueOfText(text)).toStrictEqual(expected)
  })

  it('[F8] a result that grows without limit becomes null', () => {
    const grown = (text: string, start: Value, times: number): Value => {
      let value = start
      for (let index = 0; index < times; index += 1)
        value = valueOfText(text, { ...scope, variable: () => value })
      return value
    }
    expect(grown('x + x', 'ab', 10)).toHaveLength(2048)
    expect(grown('x + x', 'ab', 40)).toBeNull()
    // The inner null starts a new, small list; it only matters that the limit is never exceeded.
    expect(JSON.stringify(grown('[x, x]', 1, 60)).length).toBeLessThan(400_000)
    const long: Value = Array.from({ length: 10_001 }, () => 1)
    expect(valueOfText('x', { ...scope, variable: () => long })).toBeNull()
    expect(valueOfText('sum(x)', { ...scope, variable: () => long })).toBe(10_001)
  })
})

describe('work', () => {
  const sumOf = (items: number, steps?: number) => {
    const work = boundedWork(steps)
    const list = Array.from({ length: items }, () => 1)
    const value = valueOfText('sum(x)', { ...scope, variable: () => list }, work)
    return { value, work }
  }

  it('[F28] is counted by parts and items, the same whenever the values are the same', () => {
    const left = [100, 100, 200, 300].map((items) => sumOf(items).work.left)
    const [once = 0, again = 0, twice = 0, thrice = 0] = left
    expect(again).toBe(once)
    expect(once - twice).toBeGreaterThan(0)
    expect(twice - thrice).toBe(once - twice)
  })

  it('[F28] once it is spent, everything is null', () => {
    const { value, work } = sumOf(10_000, 500)
    expect([value, isSpent(work)]).toEqual([null, true])
    expect(valueOfText('1', scope, work)).toBeNull()
    expect(valueOfText('1', scope, boundedWork(500))).toBe(1)
  })
})
