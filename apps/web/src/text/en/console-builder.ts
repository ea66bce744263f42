import type { MediaKind, ParadataKind } from '@atrium/contract'
import { format, plurals } from './console-format.ts'

const words = (name: string) => name.replaceAll('_', ' ')
const errorForms = { one: 'problem', other: 'problems' }
const warningForms = { one: 'hint', other: 'hints' }

interface OptionWords {
  label: string
  meaning: string
}

const paradata: Record<ParadataKind, OptionWords> = {
  focus: {
    label: 'Leaving the page',
    meaning: 'How often and for how long people go to another tab, window or application.',
  },
  paste: {
    label: 'Pasting',
    meaning: 'How often something is pasted into an answer and how many characters, never what.',
  },
  typing: {
    label: 'Typing',
    meaning: 'Number of keys and deletions, median time between keys, longest pause; never which keys.',
  },
  device: {
    label: 'Device',
    meaning:
      'Phone, tablet or computer; browser and system without versions; window and screen, touch or mouse, language and time zone.',
  },
  network: {
    label: 'Network',
    meaning: 'How long the server takes to answer the page, at best.',
  },
}

/** The values of the settings of which several can be chosen. */
const sets: Readonly<Record<string, Readonly<Record<string, OptionWords>>>> = { paradata }

/** The values of settings of which one is chosen, where they do not speak for themselves. */
const choices: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  forEach: {
    others: 'each other member of the room, one after the other',
    neighbours: 'each neighbour in the network, one after the other',
  },
  withdrawal: { identity: 'who they are (identity)', all: 'everything, also what they did (all)' },
}

export const builder = {
  builder: {
    views: { label: 'View', build: 'Build', flow: 'Flow', code: 'Code' },
    /** What the picture shows that a new component has. */
    samplePicture: 'Mountains by a lake',
    undo: 'Undo',
    redo: 'Redo',
    publish: 'Publish',
    published: (revision: number, warnings: number) =>
      `Published as revision ${revision}. People who have already joined stay on theirs.` +
      (warnings > 0 ? ` There are ${plurals.count(warnings, warningForms)}.` : ''),
    notPublished: 'The study was not published',
    cannotPublish: 'There are problems to fix first.',
    nothingToPublish: 'Everything is published.',
    more: 'More',
    export: 'Export as a file',
    import: 'Import from a file',
    imported: (name: string) => `“${name}” was read. Undo brings back what was there before.`,
    notImported: 'The file could not be read',
    notJson: 'This file is not valid JSON.',
    discard: 'Discard the draft',
    discardTitle: 'Discard the draft?',
    discardMessage: (revision: number) =>
      `Everything that was changed since revision ${revision} will be lost, also what others have changed.`,
    discarded: 'The draft was discarded.',
    notDiscarded: 'The draft was not discarded',
    status: {
      published: (revision: number) => `Revision ${revision}, as published.`,
      unpublished: 'Nothing has been published yet.',
      readOnlyBeginning:
        'Nothing has been published yet. This is what the study was begun with; the draft is for its editors. To change it, make a copy.',
      readOnly: (revision: number) =>
        `Revision ${revision}. You can look at it, but not change it. To change it, make a copy.`,
      archived: (revision: number) => `Revision ${revision}. An archived study can no longer be changed.`,
      saving: 'Saving the draft …',
      saved: (at: number) => `Draft saved at ${format.clock(at)}. Participants get it once you publish it.`,
      failed: 'The draft could not be saved. We’ll try again.',
      by: (who: string, at: number) => `${who} also works on this draft: last saved at ${format.clock(at)}.`,
    },
    conflict: {
      title: (who: string) => `${who} has changed this draft in the meantime`,
      message: (at: number) =>
        `Saved at ${format.clock(at)}. Your last changes are only here so far. You can undo either choice.`,
      theirs: 'Show theirs',
      mine: 'Keep mine',
      you: 'Another window of yours',
      adopted: (who: string) => `${who} has changed the draft; this is the newest version.`,
    },
    revised: {
      title: (revision: number) => `Revision ${revision} was published in the meantime`,
      message: (revision: number) =>
        `This draft was begun with revision ${revision}. Publishing it replaces what has been published since.`,
    },

    outline: {
      label: 'Outline of the study',
      study: 'Study',
      states: (count: number) => plurals.count(count, { one: 'state', other: 'states' }),
      show: 'Outline',
    },
    sections: {
      basics: { title: 'Basics', hint: 'What the study is called and who can take part.' },
      about: {
        title: 'About this study',
        hint: 'Authors, licence and citation, for the archive of the data. Participants do not see this.',
        empty: 'The archive will name no authors and no licence yet.',
      },
      appearance: {
        title: 'Appearance',
        hint: 'How the study looks to participants.',
        empty: 'The study has the colours of the platform.',
      },
      consent: {
        title: 'Consent',
        hint: 'What people agree to before they begin.',
        empty: 'Nobody is asked for consent yet.',
      },
      group: {
        title: 'Groups',
        hint: 'How many people share a room, and what happens when somebody leaves.',
        empty: 'Everyone takes part alone. Add matching to bring people together.',
      },
      roles: {
        title: 'Roles',
        hint: 'Who sees what: buyers and sellers, for example.',
        empty: 'Everyone has the same role.',
      },
      conditions: {
        title: 'Conditions and blocks',
        hint: 'Random assignment, rounds, and orders of states.',
        empty: 'Everyone goes through the same states, once and in order.',
      },
      tables: {
        title: 'Tables of trials',
        hint: 'Rows of stimuli. A block with trials plays its states once for each row.',
        empty: 'No block plays the rows of a table yet.',
      },
      variables: {
        title: 'Variables',
        hint: 'Numbers and texts that the study remembers.',
        empty: 'Answers are recorded without variables. You need one to compute or show something later.',
      },
      global: { title: 'On every page', hint: 'Components that stay while states change, such as a chat.' },
      agents: {
        title: 'Agents',
        hint: 'Language models that take part or moderate.',
        empty: 'Only people take part.',
      },
      completion: {
        title: 'Completion',
        hint: 'Codes, payment, and where people go at the end.',
        empty: 'People see a page that thanks them. They get no code of yours and no payment.',
      },
      recruiting: {
        title: 'Recruiting',
        hint: 'How people return to the site that sent them.',
        empty: 'People come with a link and stay on the last page.',
      },
      other: { title: 'Other', hint: 'Notes, and settings that have no form.' },
    },
    stages: {
      list: 'Stages',
      count: (count: number, states: string) =>
        `${plurals.count(count, { one: 'stage', other: 'stages' })}, ${states}`,
      numbered: (number: number) => `Stage ${number}`,
      add: 'Add a stage',
      addAfter: (name: string) => `Add a stage after “${name}”`,
      remove: (name: string) => `Delete the stage “${name}” and its states`,
      addStateTo: (name: string) => `Add a state to “${name}”`,
      statesOf: (name: string) => `States of “${name}”`,
      divide: 'Divide into stages',
      divideHint:
        'People can then share a room with others in each stage: answer alone first, for example, and meet then.',
      join: 'Do without stages',
      joinHint: 'Its states and settings become those of the study.',
      id: 'Id of the stage',
      idHint: 'Used in the data. Renaming it updates every reference.',
      hintFirst: 'A part of the study in which the same people share a room. Everybody begins here.',
      hint: 'A part of the study in which the same people share a room. Before it begins, people wait for those they share it with.',
      alone: 'Everyone plays this stage alone. Add matching to bring people together.',
    },
    states: {
      add: 'Add a state',
      newName: 'New state',
      id: 'Id of the state',
      idHint: 'Used in the data and in transitions. Renaming it updates every reference.',
      unnamed: (number: number) => `State ${number}`,
      onlyFor: (roles: string) => `Only for ${roles}`,
      up: (name: string) => `Move “${name}” up`,
      down: (name: string) => `Move “${name}” down`,
      addAfter: (name: string) => `Add a state after “${name}”`,
      duplicate: (name: string) => `Duplicate “${name}”`,
      remove: (name: string) => `Delete “${name}”`,
    },
    components: {
      title: 'What it shows',
      none: 'Nothing yet.',
      add: 'Add a component',
      pick: 'Add a component',
      search: 'Search',
      groups: {
        shown: 'To read, watch and hear',
        asked: 'To answer and do',
        ongoing: 'Going on while the page is shown',
      },
      nothingFound: 'No matching components.',
      unknown: 'Component',
      called: (title: string, number: number) => `${title} (${number})`,
    },
    media: {
      choose: 'Choose an uploaded video',
      chooseOther: 'Choose another video',
      title: 'Uploaded videos',
      none: 'Nothing has been uploaded yet.',
      nothingFound: 'No matching videos.',
      upload: 'Upload a video under Media',
      unknown: (videoId: string) => `${videoId} (not among the videos that you can see)`,
      notReady: 'not ready to play yet',
    },
    tables: {
      paste: 'Paste from a spreadsheet',
      edit: 'Edit the rows',
      open: 'Open a CSV file',
      apply: 'Use these rows',
      cancel: 'Cancel',
      rows: 'Rows',
      rowsHint:
        'Copy the cells of a spreadsheet and paste them here. The first line names the columns, which texts and expressions read as trial.name.',
      pasted: 'pasted table',
      preview: 'First rows of the table',
      size: (rows: number, columns: number) =>
        `${plurals.count(rows, { one: 'row', other: 'rows' })}, ${plurals.count(columns, { one: 'column', other: 'columns' })}`,
      uploaded: (name: string, rows: number, columns: readonly string[]) =>
        `Uploaded as ${name}: ${plurals.count(rows, { one: 'row', other: 'rows' })} with ${columns.join(', ')}`,
      unknown: (tableId: string) => `${tableId} (not among your uploaded tables)`,
      problem: (line: number, message: string) => `Line ${line}: ${message}.`,
      notUploaded: 'The table could not be uploaded',
    },
    files: {
      picture: {
        choose: 'Choose an uploaded picture',
        chooseOther: 'Choose another picture',
        title: 'Uploaded pictures',
        none: 'No pictures have been uploaded yet.',
        nothingFound: 'No matching pictures.',
        upload: 'Upload a picture under Media',
        unknown: (mediaId: string) => `${mediaId} (not among the pictures that you can see)`,
      },
      sound: {
        choose: 'Choose an uploaded sound',
        chooseOther: 'Choose another sound',
        title: 'Uploaded sounds',
        none: 'No sounds have been uploaded yet.',
        nothingFound: 'No matching sounds.',
        upload: 'Upload a sound under Media',
        unknown: (mediaId: string) => `${mediaId} (not among the sounds that you can see)`,
      },
    } satisfies Record<MediaKind, unknown>,
    problems: {
      label: 'Problems',
      errors: (count: number) => `${plurals.count(count, errorForms)} to fix before you can publish`,
      warnings: (count: number) => plurals.count(count, warningForms),
      go: 'Go there',
      goTo: (message: string) => `Go there: ${message}`,
      showAll: (count: number) => `Show all ${format.number(count)}`,
      whole: 'The study as a whole',
    },
    form: {
      notSet: '(not set)',
      seconds: ' s',
      sets,
      choices,
      whenNotSet: (what: string) => `. If not set: ${what}`,
      paradata: {
        hint: 'Besides the answers, and only what you choose here. The consent page tells people what it is.',
      },
      option: (value: unknown) => (value === true ? 'Yes' : value === false ? 'No' : words(String(value))),
      perLanguage: 'A text for each language',
      oneForAll: 'One text for all languages',
      fromValue: 'From a value',
      expression: (what: string) => `Expression; ${what}`,
      fromValueOf: (label: string) => `${label}: from a value`,
      fixed: 'Fixed',
      fixedOf: (label: string) => `${label}: fixed`,
      notJson: (why: string) => `Not applied yet: ${why}`,
      remove: 'Remove',
      removeWhat: (what: string) => `Remove ${what}`,
      valueOf: (name: string) => `Value of ${name}`,
      name: 'Name',
      startValue: 'Just a start value',
      more: (count: number) => `${plurals.count(count, { one: 'more setting', other: 'more settings' })}`,
      moreOf: (label: string) => `More settings of ${label}`,
      add: (label: string) => `+ ${label}`,
      addTo: (title: string) => `Add to ${title.toLowerCase()}`,
      item: (title: string, number: number) => `${title} ${number}`,
      showMore: (count: number) => `Show ${format.number(count)} more`,
      up: (label: string) => `Move ${label} up`,
      down: (label: string) => `Move ${label} down`,
      duplicate: (label: string) => `Duplicate ${label}`,
      kinds: {
        text: 'Text',
        number: 'Number',
        flag: 'Yes or no',
        choice: 'Choice',
        set: 'Several choices',
        list: 'List',
        object: 'With more settings',
        record: 'Names and values',
        union: 'Other',
        any: 'Any value',
      },
    },
    flow: {
      label: 'Flow of the study',
      end: 'End',
      legend: 'Click a state to edit it. Dashed arrows are taken under a condition or at a deadline.',
      block: (
        rounds: number,
        order: string,
        {
          until,
          sample,
          of,
          rotateRoles,
          when,
        }: {
          until: string | undefined
          sample: number | undefined
          of: number
          rotateRoles: boolean | undefined
          when: string | undefined
        },
      ) =>
        [
          plurals.count(rounds, { one: 'round', other: 'rounds' }),
          ...(until === undefined ? [] : [`until ${until}`]),
          words(order),
          ...(sample === undefined ? [] : [`${sample} of ${of}`]),
          ...(rotateRoles ? ['roles rotate'] : []),
          ...(when === undefined ? [] : [`if ${when}`]),
        ].join(', '),
      /** Where the end of a stage leads. */
      goesOn: (stage: string) => `On to ${stage}`,
      ifTrue: (when: string) => `Only if ${when}`,
      together: (min: number, max: number) =>
        min === max
          ? `${format.number(max)} together`
          : `${format.number(min)} to ${format.number(max)} together`,
      alone: 'Everyone alone',
      tooFew: (to: string) => `too few in time: ${to}`,
      atMost: (count: number) => `at most ${count}×`,
      timeout: 'time is up',
    },
    code: {
      label: 'Definition (JSON)',
      unread: (line: number, message: string) => `Line ${line}: ${message}. Not applied yet.`,
    },
    preview: {
      title: 'Preview',
      phone: 'Phone',
      desktop: 'Desktop',
      width: 'Size',
      role: 'Seen by',
      everyone: 'Everyone',
      frame: 'Preview of the page',
      hint: 'Nothing that you enter here is stored.',
    },
  },
}
