import { Anchor, Text } from '@mantine/core'
import { Fragment, useState } from 'react'
import { Link } from 'wouter'
import { texts } from '../../text/console.ts'

const fewUses = 3

interface ExperimentUsesProps {
  usedBy: readonly { experimentId: string; name: string }[]
}

/** The studies that use something, as links. */
export function ExperimentUses({ usedBy }: ExperimentUsesProps) {
  const text = texts().uses
  const [isWhole, setIsWhole] = useState(false)
  const shown = isWhole ? usedBy : usedBy.slice(0, fewUses)
  const hidden = usedBy.length - shown.length
  if (usedBy.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {text.unused}
      </Text>
    )
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      {text.usedIn}{' '}
      {shown.map(({ experimentId, name }, index) => (
        <Fragment key={experimentId}>
          {index > 0 && ', '}
          <Anchor component={Link} href={`/experiments/${experimentId}`} inherit underline="always">
            {name}
          </Anchor>
        </Fragment>
      ))}
      {hidden > 0 && (
        <>
          {' '}
          <Anchor component="button" type="button" inherit onClick={() => setIsWhole(true)}>
            {text.more(hidden)}
          </Anchor>
        </>
      )}
    </Text>
  )
}
