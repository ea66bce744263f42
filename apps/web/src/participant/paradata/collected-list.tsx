import type { ParadataKind } from '@atrium/contract'
import { texts } from '../../text/participant-collected.ts'

/** R93: in our words, so that nothing is measured that nobody was told of. */
export function CollectedList({ kinds }: { kinds: readonly ParadataKind[] }) {
  const { intro, kinds: words } = texts()
  return (
    <div className="collected">
      <p>{intro}</p>
      <ul>
        {kinds.map((kind) => (
          <li key={kind}>{words[kind]}</li>
        ))}
      </ul>
    </div>
  )
}
