import { useState } from 'react'
import type { ConsentAnswer, Stage } from '../journey/stage.ts'
import { ConsentView } from '../views/gates/consent-view.tsx'
import type { Scene } from '../views/view.ts'
import { Page } from './page.tsx'

const nowhere: Scene = {
  roomId: '',
  participantId: '',
  alias: '',
  others: [],
  stateId: '',
  visit: 0,
  enteredAt: 0,
  deadlineAt: null,
  variables: {},
  progress: { done: 0, of: 0 },
  messages: [],
  isStill: false,
  serverNow: Date.now,
  sendMessage: async () => undefined,
  note: () => undefined,
}

/** The consent of the definition stands before everything else: no room, no others, no waiting. */
export function ConsentPage({ stage }: { stage: Extract<Stage, { kind: 'consent' }> }) {
  const [enteredAt] = useState(() => Date.now())
  const { text = 'Do you agree to take part in this study?', minReadMs, requireScroll } = stage.consent
  return (
    <Page>
      <h1>Before you begin</h1>
      <ConsentView
        component={{ id: 'consent', type: 'consent', text, minReadMs, requireScroll }}
        scene={{ ...nowhere, enteredAt }}
        draft={undefined}
        onDraft={() => undefined}
        send={(answer) => stage.decide(answer as ConsentAnswer)}
        recorded={undefined}
        result={undefined}
        isLocked={false}
        problem={undefined}
      />
    </Page>
  )
}
