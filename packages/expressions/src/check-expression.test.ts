import { describe, expect, it } from 'vitest'
import { expressionIssues, type Names } from './check-expression.ts'

const names: Names = {
  roomVariables: new Set(['pot', 'payoffs']),
  participantVariables: new Set(['points']),
  components: new Set(['mood', 'mood-score', 'first offer', 'contribution']),
  forEach: 'participant',
}
const roomWide: Names = { ...names, forEach: 'room' }

describe('names', () => {
  it.each([
    'points + pot * 2',
    'response.mood > 3 && role == condition',
    "response['first offer'] == 'yes' ? [1] : []",
    'sum(responses.contribution) / participants',
    'payoffs[response.mood]',
    'round(mean(responses.contribution), 1) <= round',
    'condition == null || round != null',
    "'Round ' + round",
    'max(1, points) + at(responses.contribution, -1)',
  ])('[F9] %s is accepted', (text) => {
    expect(expressionIssues(text, names)).toEqual([])
  })

  it.each([
    ['1 +', 'syntax error at character 4: an expression is missing after ‘+’'],
    ['a b', 'syntax error at character 3: an operator or a comma is missing before ‘b’'],
    ['pionts + 1', 'variable ‘pionts’ does not exist; did you mean ‘points’?'],
    ['partcipants > 1', 'variable ‘partcipants’ does not exist; did you mean ‘participants’?'],
    ['zebra', 'variable ‘zebra’ does not exist'],
    ['constructor', 'variable ‘constructor’ does not exist'],
    ['averge(1)', 'function ‘averge’ does not exist'],
    ['average(1)', 'there is no function ‘average’ of this form; use mean(list)'],
    ['if(1, 2)', 'there is no function ‘if’ of this form; use if(test, yes, no)'],
    ['meen(responses.mood)', 'function ‘meen’ does not exist; did you mean ‘mean’?'],
    ['toString(1)', 'function ‘toString’ does not exist'],
    ['round(1, 2, 3)', '‘round’ does not accept 3 arguments; use round(x) or round(x, digits)'],
    ['contains(payoffs)', '‘contains’ does not accept 1 argument; use contains(list or text, x)'],
    ['response.moood', 'component ‘moood’ does not exist; did you mean ‘response.mood’?'],
    [
      'responses.first_offer',
      "component ‘first_offer’ does not exist; did you mean ‘responses['first offer']’?",
    ],
  ])('[F9] %s', (text, sentence) => {
    expect(expressionIssues(text, names)).toContain(sentence)
  })

  it('[F9] an id with a dash is suggested in brackets', () => {
    const dashed: Names = { ...names, components: new Set(['self-report']) }
    expect(expressionIssues('response.self-report', dashed)).toContain(
      "component ‘self’ does not exist; did you mean ‘response['self-report']’?",
    )
  })
})

describe('room-wide expressions', () => {
  it('[F10] a participant’s own values are refused, with what to write instead', () => {
    expect(expressionIssues('response.mood > 1', roomWide)).toEqual([
      '‘response.mood’ is one participant’s response, but this is computed once for the whole room; use responses.mood',
    ])
    expect(expressionIssues('points > 1', roomWide)).toEqual([
      expect.stringContaining('‘points’ is a participant variable'),
    ])
    expect(expressionIssues("role == 'seller'", roomWide)).toEqual([expect.stringContaining('‘role’')])
  })

  it('[F10] values of the room are accepted', () => {
    expect(expressionIssues('pot + sum(responses.contribution) > ready + participants', roomWide)).toEqual([])
  })
})

describe('types', () => {
  it.each([
    ['participants + responses.mood', '‘+’ needs numbers or text, not a number and a list'],
    ['true + true', '‘+’ needs numbers or text, not a boolean and a boolean'],
    ['state * 2', '‘*’ needs numbers, not text and a number'],
    ["-'a'", '‘-’ needs a number, not text'],
    ["round == '1'", '‘==’ compares a number and text, which are never equal'],
    ['responses.mood > 3', '‘>’ needs two numbers or two text values, not a list and a number'],
    ['role < 3', '‘<’ needs two numbers or two text values, not text and a number'],
    ['sum(role)', '‘sum’ needs numbers, not text; use sum(list) or sum(a, b, …)'],
    ['sum(responses.mood, 1)', '‘sum’ needs numbers, not a list; use sum(list) or sum(a, b, …)'],
    ['count(3)', '‘count’ needs a list, not a number; use count(list) or count(list, x)'],
    [
      'responses.mood.length',
      'use a number from 0 to access an item of a list, and length(list) for its size',
    ],
    ['round[0]', 'a number has no items or fields'],
    ['payoffs[[1]]', 'a list cannot be used as an index'],
    ['(true ? 1 : 2) + [1]', '‘+’ needs numbers or text, not a number and a list'],
  ])('[F11] %s', (text, sentence) => {
    expect(expressionIssues(text, names)).toEqual([sentence])
  })
})
