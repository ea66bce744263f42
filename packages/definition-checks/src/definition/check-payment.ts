import {
  currencies,
  type ExperimentDefinition,
  initialExpressionOf,
  minorDigitsOf,
  type Payment,
  roundMoney,
  type ValidationIssue,
  type Variable,
  variableOf,
} from '@atrium/contract'
import { nearestName, responseSchemaOf } from '@atrium/contract/components'
import type { SchemaNode } from '@atrium/contract/reference'
import { blockUnitsIn, type Pick, payableBlocks, unitsOf } from '@atrium/flow'

const path = '/completion/payment'
const issue = (field: string, message: string): ValidationIssue => ({ path: `${path}/${field}`, message })

/** F60: what a schema cannot say about a payment. */
export function checkPayment(definition: ExperimentDefinition): ValidationIssue[] {
  const payment = definition.completion?.payment
  if (!payment) return []
  return [
    ...unknownCurrency(payment),
    ...severalBonuses(payment),
    ...impossibleBounds(payment),
    ...(payment.pick
      ? [...wrongVariable(definition, payment.pick), ...missingRounds(definition, payment.pick)]
      : []),
  ]
}

function unknownCurrency({ currency }: Payment): ValidationIssue[] {
  const known = currencies()
  if (known.has(currency)) return []
  const meant = nearestName(currency, known)
  const instead = meant === undefined ? 'use a code of ISO 4217, such as EUR' : `did you mean ‘${meant}’?`
  return [issue('currency', `there is no currency ‘${currency}’; ${instead}`)]
}

function severalBonuses({ bonus, pick, rate }: Payment): ValidationIssue[] {
  if (bonus !== undefined && pick !== undefined)
    return [
      issue('bonus', 'the bonus is either this variable or the rounds of ‘pick’; leave one of them out'),
    ]
  if (rate !== undefined && bonus === undefined && pick === undefined)
    return [
      issue('rate', 'there is nothing to multiply; name a variable as ‘bonus’, or rounds to draw as ‘pick’'),
    ]
  return []
}

/** Amounts are rounded after they were bounded, so bounds must be amounts that can be paid. */
function impossibleBounds({ currency, base = 0, min, max }: Payment): ValidationIssue[] {
  const uneven = (['min', 'max'] as const).flatMap((name) => {
    const bound = name === 'min' ? min : max
    if (bound === undefined || !currencies().has(currency) || roundMoney(bound, currency) === bound) return []
    const digits = minorDigitsOf(currency)
    const allowed = digits === 0 ? 'has no decimals' : `has ${digits} decimals`
    return [issue(name, `${bound} cannot be paid: ${currency} ${allowed}`)]
  })
  if (max === undefined) return uneven
  const tooLow = min !== undefined && min > max
  return [
    ...uneven,
    ...(tooLow ? [issue('min', `is more than the maximum of ${max}; nobody can get both`)] : []),
    ...(base > max ? [issue('max', `is less than the base of ${base}, which everyone gets`)] : []),
  ]
}

function wrongVariable(definition: ExperimentDefinition, { of }: Pick): ValidationIssue[] {
  const { variables = {} } = definition
  const wrong = (message: string) => [issue('pick/of', message)]
  if (!Object.hasOwn(variables, of)) return wrong(unknown('variable', of, Object.keys(variables)))
  const declared = variableOf(variables[of])
  if (declared.scope !== 'participant')
    return wrong(
      `‘${of}’ is a room variable, which is the same for everyone; rounds are drawn for each participant, so declare it with "scope": "participant"`,
    )
  const text = textSavedTo(definition, of)
  if (text !== undefined)
    return wrong(`‘${of}’ holds the answer to ‘${text}’, which is text; payments need a number`)
  return isNumber(declared)
    ? []
    : wrong(`‘${of}’ begins with something that is no number; payments need a number`)
}

/** The component that saves a text to this variable, if one does. */
const textSavedTo = ({ states }: ExperimentDefinition, variable: string): string | undefined =>
  states
    .flatMap(({ components }) => components)
    .find((component) => {
      const schema: SchemaNode = { ...(component.saveTo === variable && responseSchemaOf(component)) }
      return schema.type === 'string'
    })?.id

function unknown(what: string, name: string, known: readonly string[]): string {
  const meant = nearestName(name, known)
  return `${what} ‘${name}’ does not exist${meant === undefined ? '' : `; did you mean ‘${meant}’?`}`
}

const isNumber = ({ initial = null, compute }: Variable): boolean =>
  compute !== undefined ||
  initial === null ||
  typeof initial === 'number' ||
  initialExpressionOf(initial) !== undefined

/** F185: the outermost block that this one is in; undefined if it is in none. */
function outermostAround(id: string | undefined, definition: ExperimentDefinition): string | undefined {
  const around = unitsOf(definition).find(({ members }) =>
    blockUnitsIn(members).some(({ block }) => block?.id === id),
  )
  return around?.block?.id
}

function missingRounds(definition: ExperimentDefinition, pick: Pick): ValidationIssue[] {
  const { blocks = [] } = definition
  const { block, rounds } = pick
  const known = blocks.map(({ id }) => id)
  if (block !== undefined && !known.includes(block))
    return [issue('pick/block', unknown('block', block, known))]
  const around = outermostAround(block, definition)
  if (around !== undefined)
    return [
      issue(
        'pick/block',
        `block ‘${block}’ is within ‘${around}’, and only rounds of the outermost can be paid; name ‘${around}’`,
      ),
    ]
  const played = payableBlocks(definition, pick).reduce((sum, one) => sum + one.rounds, 0)
  if (played === 0)
    return [
      issue('pick', 'no block of the study has rounds; give one ‘rounds’, or pay a variable with ‘bonus’'),
    ]
  if (rounds <= played) return []
  const there = played === 1 ? 'there is only one' : `there are only ${played}`
  return [
    issue(
      'pick/rounds',
      `cannot draw ${rounds} rounds: ${there} in ${block === undefined ? 'the study' : `‘${block}’`}`,
    ),
  ]
}

/** F61: a number of a round means little where several blocks have a round of that number. */
export function paymentWarnings(definition: ExperimentDefinition): ValidationIssue[] {
  const { pick } = definition.completion?.payment ?? {}
  if (!pick || pick.block !== undefined) return []
  const blocks = payableBlocks(definition, pick).map(({ blockId }) => `‘${blockId}’`)
  return blocks.length < 2
    ? []
    : [
        issue(
          'pick',
          `rounds of ${blocks.join(' and ')} are drawn alike; name one of them as ‘block’ if the others, such as practice, are not paid`,
        ),
      ]
}
