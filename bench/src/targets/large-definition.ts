import type { ExperimentDefinition } from '@atrium/contract'

/** A study of so many states with so many components in all, of several kinds, with variables and branches. */
export function largeDefinition(states: number, components: number): ExperimentDefinition {
  const each = Math.ceil(components / states)
  return {
    name: 'A large study',
    variables: Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`score_${at}`, 0])),
    states: Array.from({ length: states }, (_, state) => ({
      id: `state_${state}`,
      name: `State ${state}`,
      instructions: 'Please read this carefully and answer all questions.',
      components: Array.from({ length: each }, (_, at) => componentAt(`c_${state}_${at}`, at)),
      end: { on: 'button' },
    })),
  }
}

type Component = ExperimentDefinition['states'][number]['components'][number]

/** The type of components knows only what all kinds share. */
function componentAt(id: string, at: number): Component {
  const kinds: (Component & Record<string, unknown>)[] = [
    { id, type: 'text', text: `Paragraph of ${id}` },
    { id, type: 'slider', label: `How much is ${id}?`, min: 0, max: 100 },
    { id, type: 'text_input', label: `What do you think of ${id}?` },
  ]
  return kinds[at % kinds.length] ?? { id, type: 'text' }
}
