import type { ExperimentDefinition } from '@atrium/contract'
import { LRUCache } from 'lru-cache'
import { type Blueprint, compileBlueprint } from '../model/blueprint.ts'

/** In characters of the definitions. In memory each takes several times as much: its states, the texts that were read, what was parsed. */
const maxWeight = 8 * 1_048_576

/**
 * Blueprints of revisions, which never change. The newest are kept up to a total size, not a number: two hundred of the largest
 * would be gigabytes. A room keeps its own for as long as it is open, and rooms of the same revision share it even then.
 */
export function createBlueprintCache() {
  const kept = new LRUCache<string, Blueprint>({ max: 200, maxSize: maxWeight })
  const inUse = new Map<string, WeakRef<Blueprint>>()
  const collected = new FinalizationRegistry((key: string) => {
    if (!inUse.get(key)?.deref()) inUse.delete(key)
  })

  const atHand = (key: string): Blueprint | undefined => kept.get(key) ?? inUse.get(key)?.deref()

  function keep(key: string, blueprint: Blueprint): Blueprint {
    if (inUse.get(key)?.deref() !== blueprint) {
      inUse.set(key, new WeakRef(blueprint))
      collected.register(blueprint, key)
    }
    kept.set(key, blueprint, { size: blueprint.weight })
    return blueprint
  }

  return {
    /** The definition is read only if the blueprint is not at hand. */
    async get(key: string, written: () => Promise<ExperimentDefinition>): Promise<Blueprint> {
      const known = atHand(key)
      if (known) return keep(key, known)
      const definition = await written()
      // Two rooms may be opened at the same moment.
      return keep(key, atHand(key) ?? compileBlueprint(definition))
    },
    /** Of all blueprints that are kept. */
    weight: (): number => kept.calculatedSize,
  }
}
