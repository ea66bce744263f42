import type { ParadataKind } from '@atrium/contract'
import { useState } from 'react'
import { texts } from '../../text/participant.ts'
import { PageTitle } from '../frame/page-title.tsx'
import type { ConsentAnswer, Stage } from '../journey/stage.ts'
import { Consent } from '../views/gates/consent-view.tsx'
import type { Scene } from '../views/view.ts'
import { Page } from './page.tsx'

const nowhere: Scene = {
  roomId: '',
  participantId: '',
  alias: '',
  role: '',
  others: [],
  stateId: '',
  visit: 0,
  enteredAt: 0,
  deadlineAt: null,
  variables: {},
  progress: { done: 0, of: 0 },
  messages: [],
  isStill: false,
  shownSince: () => 0,
  media: {
    subscribe: () => () => undefined,
    sync: () => undefined,
    ahead: () => undefined,
    take() {
      throw new Error('Media are shown in rooms.')
    },
  },
  serverNow: Date.now,
  uploadFile: () => Promise.reject(new Error('Files are uploaded in rooms.')),
  sendMessage: async () => undefined,
  note: () => undefined,
}

/** The consent of the definition comes before everything else: there is no room yet, and nobody waits. */
export function ConsentPage({ stage }: { stage: Extract<Stage, { kind: 'consent' }> }) {
  const [enteredAt] = useState(() => Date.now())
  const { text = texts().consent.defaultText, sendsTextToModels } = stage.consent
  const { minReadMs = 0, requireScroll = false } = stage.consent
  return (
    <Page>
      <PageTitle>{texts().consent.title}</PageTitle>
      {sendsTextToModels && <p className="banner is-quiet">{texts().consent.sendsTextToModels}</p>}
      {stage.paradata.length > 0 && <Collected kinds={stage.paradata} />}
      <Consent
        component={{ id: 'consent', type: 'consent' }}
        settings={{ text, minReadMs, requireScroll, agreeLabel: undefined, declineLabel: undefined }}
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

/** R93: in our words, so that nothing is measured that nobody was told of. */
function Collected({ kinds }: { kinds: readonly ParadataKind[] }) {
  const { intro, kinds: words } = texts().consent.collects
  return (
    <div className="banner is-quiet">
      <p>{intro}</p>
      <ul>
        {kinds.map((kind) => (
          <li key={kind}>{words[kind]}</li>
        ))}
      </ul>
    </div>
  )
}
