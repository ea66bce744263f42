import type { WrittenDefinition } from '@atrium/contract'
import { startingPoints, startingPointText } from './starting-points.ts'

export interface Template {
  id: string
  title: string
  description: string
  definition: WrittenDefinition
}

/** The examples that come with the platform, as they are in its repository. */
const examples: Record<string, WrittenDefinition> = import.meta.glob('../../../../../examples/*.json', {
  eager: true,
  import: 'default',
})

/** An empty page first, then short studies to change, then whole ones. */
export const templates = (): readonly Template[] => [
  ...startingPoints.map((point) => ({
    id: point.id,
    ...startingPointText(point),
    definition: point.definition,
  })),
  ...Object.entries(examples).map(([file, definition]) => ({
    id: file.replace(/^.*\/|\.json$/g, ''),
    title: definition.name,
    description: definition.summary ?? definition.description ?? '',
    definition,
  })),
]
