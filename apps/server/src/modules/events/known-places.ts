import { type ExperimentDefinition, endOfExperiment, type ParadataKind } from '@atrium/contract'
import { LRUCache } from 'lru-cache'
import { type KnownComponents, knownComponents } from './known-components.ts'

export interface KnownPlaces {
  states: ReadonlySet<string>
  components: KnownComponents
  /** R93: what is measured besides the answers. */
  paradata: readonly ParadataKind[]
}

/**
 * In characters of the definitions; enough for the largest. Measured: with every answer's check compiled, one takes up to 36 bytes
 * of memory (choices of a hundred options), so all that is kept takes some 110 MB at most.
 */
const maxWeight = 3 * 1_048_576
/** What a component takes in addition to its text, in such characters. */
const weightOfComponent = 50

/** The states and components of revisions, which never change. The newest are kept up to a total size. */
export function createKnownPlaces() {
  const kept = new LRUCache<string, KnownPlaces>({ max: 500, maxSize: maxWeight })
  return {
    /** The definition is read only if its places are not at hand. */
    async get(key: string, definition: () => Promise<ExperimentDefinition>): Promise<KnownPlaces> {
      const known = kept.get(key)
      if (known) return known
      const read = await definition()
      const places = placesOf(read)
      kept.set(key, places, { size: weightOf(read) })
      return places
    },
    /** Of all that are kept. */
    weight: (): number => kept.calculatedSize,
  }
}

const placesOf = (definition: ExperimentDefinition): KnownPlaces => ({
  states: new Set([...definition.states.map((state) => state.id), endOfExperiment]),
  components: knownComponents(definition),
  paradata: definition.paradata ?? [],
})

function weightOf(definition: ExperimentDefinition): number {
  const { states, globalComponents = [] } = definition
  const components = states.reduce((sum, state) => sum + state.components.length, globalComponents.length)
  return JSON.stringify(definition).length + components * weightOfComponent
}
