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
    ['1 +', 'the expression cannot be read at character 4: Expected expression after +'],
    ['a b', 'the expression cannot be read at character 3: an operator or a comma is missing before ‘b’'],
    ['pionts + 1', 'there is no variable called ‘pionts’; did you mean ‘points’?'],
    ['partcipants > 1', 'there is no variable called ‘partcipants’; did you mean ‘participants’?'],
    ['zebra', 'there is no variable called ‘zebra’'],
    ['constructor', 'there is no variable called ‘constructor’'],
    ['averge(1)', 'there is no function called ‘averge’'],
    ['meen(responses.mood)', 'there is no function called ‘meen’; did you mean ‘mean’?'],
    ['toString(1)', 'there is no function called ‘toString’'],
    ['round(1, 2, 3)', '‘round’ does not take 3 arguments: round(x) or round(x, digits)'],
    ['contains(payoffs)', '‘contains’ does not take 1 argument: contains(list or text, x)'],
    ['response.moood', 'there is no component called ‘moood’; did you mean ‘response.mood’?'],
    [
      'responses.first_offer',
      "there is no component called ‘first_offer’; did you mean ‘responses['first offer']’?",
    ],
  ])('[F9] %s', (text, sentence) => {
    expect(expressionIssues(text, names)).toContain(sentence)
  })

  it('[F9] an id with a dash is suggested in brackets', () => {
    const dashed: Names = { ...names, components: new Set(['self-report']) }
    expect(expressionIssues('response.self-report', dashed)).toContain(
      "there is no component called ‘self’; did you mean ‘response['self-report']’?",
    )
  })
})

describe('room-wide expressions', () => {
  it('[F10] a participant’s own values are refused, with what to write instead', () => {
    expect(expressionIssues('response.mood > 1', roomWide)).toEqual([
      '‘response.mood’ does not say whose response, and this is computed once for the whole room: use responses.mood',
    ])
    expect(expressionIssues('points > 1', roomWide)).toEqual([
      expect.stringContaining('‘points’ is a participant’s own variable'),
    ])
    expect(expressionIssues("role == 'seller'", roomWide)).toEqual([expect.stringContaining('‘role’')])
  })

  it('[F10] values of the room are accepted', () => {
    expect(expressionIssues('pot + sum(responses.contribution) > ready + participants', roomWide)).toEqual([])
  })
})

describe('types', () => {
  it.each([
    ['participants + responses.mood', '‘+’ needs numbers or texts, not a number and a list'],
    ['true + true', '‘+’ needs numbers or texts, not a boolean and a boolean'],
    ['state * 2', '‘*’ needs numbers, not a text and a number'],
    ["-'a'", '‘-’ needs a number, not a text'],
    ["round == '1'", '‘==’ compares a number and a text, which are never equal'],
    ['responses.mood > 3', '‘>’ needs two numbers or two texts, not a list and a number'],
    ['role < 3', '‘<’ needs two numbers or two texts, not a text and a number'],
    ['sum(role)', '‘sum’ needs numbers, not a text: sum(list) or sum(a, b, …)'],
    ['sum(responses.mood, 1)', '‘sum’ needs numbers, not a list: sum(list) or sum(a, b, …)'],
    ['count(3)', '‘count’ needs a list, not a number: count(list) or count(list, x)'],
    [
      'responses.mood.length',
      'an item of a list is looked up by its number, counted from 0; its size is length(list)',
    ],
    ['round[0]', 'there is nothing to look up in a number'],
    ['payoffs[[1]]', 'nothing can be looked up by a list'],
    ['(true ? 1 : 2) + [1]', '‘+’ needs numbers or texts, not a number and a list'],
  ])('[F11] %s', (text, sentence) => {
    expect(expressionIssues(text, names)).toEqual([sentence])
  })
})
