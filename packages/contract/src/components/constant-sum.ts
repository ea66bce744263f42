import { Type } from 'typebox'
import { defaultTo } from './annotations.ts'
import { declareType, error, type Finding } from './component-type.ts'
import { AnswersByRow, answersOf, Headings, labelOf, rowFindings } from './options.ts'
import type { Received } from './received.ts'
import { Flag, question, Text, Whole } from './settings.ts'

const largest = 1_000_000

const settings = Type.Object({
  ...question,
  items: Headings('Items', 'What the points are given to', 2),
  total: defaultTo(100, Whole('Total', 1, largest, 'What the points must add up to; 100 when absent')),
  min: defaultTo(0, Whole('Fewest', 0, largest, 'Fewest points for an item; 0 when absent')),
  max: Whole('Most', 1, largest, 'Most points for an item; the total when absent'),
  unit: Text('Unit', 40, 'What is given, such as points, % or €, shown beside each number; none when absent'),
  shuffle: Flag('Random order', 'The items are shown in random order'),
})
type Known = Received<typeof settings>

/** Where conditions leave so few items that they could not add up to the total, only the total limits them. */
export const mostPerItem = ({ items, total, max = total }: Pick<Known, 'items' | 'total' | 'max'>): number =>
  items.length * max < total ? total : Math.min(max, total)

const sumOf = (value: unknown): number =>
  Object.values(value ?? {}).reduce<number>((sum, points) => sum + Number(points), 0)

export const constantSum = declareType({
  type: 'constant_sum',
  title: 'Constant sum',
  description:
    'Points to distribute over items, in whole numbers that must add up to a total. The page shows how many are left; the server refuses any other sum.',
  place: 'state',
  settings,
  responds: 'once',
  requiredByDefault: true,
  sentBy: 'page_button',
  records: 'The points of each item.',
  example: {
    settings: {
      label: 'How much does each of these matter when you choose a flat?',
      items: [
        { value: 'rent', label: 'Rent' },
        { value: 'size', label: 'Size' },
        { value: 'place', label: 'Neighbourhood' },
      ],
      unit: 'points',
    },
    response: { rent: 50, size: 20, place: 30 },
  },
  response: (known) =>
    AnswersByRow(
      known.items,
      (item) => Type.Integer({ title: labelOf(item), minimum: known.min, maximum: mostPerItem(known) }),
      { title: 'Points', description: `Whole numbers that add up to exactly ${known.total}` },
    ),
  refusal({ total }, value) {
    const sum = sumOf(value)
    return sum === total ? undefined : `The points add up to ${sum}; they must add up to ${total}.`
  },
  findings: (known) => [...rowFindings('/items', known.items, true), ...impossibleTotal(known)],
  simulated: {
    usualMs: 6_000,
    answer: (known, _drawn, { random }) => distributed(known, random),
  },
})

function impossibleTotal({ items, total, min, max = total }: Known): Finding[] {
  const count = items.length
  if (count * min > total)
    return [error('/min', `${count} items with at least ${min} each are more than the total of ${total}`)]
  return count * max < total
    ? [error('/max', `${count} items with at most ${max} each do not add up to the total of ${total}`)]
    : []
}

/** Shares of what is left, in turn; what nobody took goes to whoever can still take it. */
function distributed(known: Known, random: () => number): Record<string, number> {
  const { items, total, min } = known
  const max = mostPerItem(known)
  const names = answersOf(items).map(String)
  const points = new Map(names.map((name) => [name, min]))
  let left = total - min * names.length
  for (const share of [random, () => 1])
    for (const [name, has] of points) {
      const more = Math.min(max - has, Math.floor(share() * (left + 1)), left)
      points.set(name, has + more)
      left -= more
    }
  return Object.fromEntries(points)
}
