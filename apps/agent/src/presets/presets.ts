import { calculated, cited, type Figure, type Preset } from './preset.ts'

// None of these files was downloaded or run by us. Sizes and checksums are copied from public projects that pin the same
// files and say that they are Hugging Face's; most agree in several projects, those of qwen3.5-9b-q6 come from one, and that
// qwen3.6-27b-q6 is in the revision given here is assumed. A wrong one is found by the download, which then refuses the
// file. Layers, heads and contexts are copied from descriptions of the models; the heads of linear attention are those
// of the architecture as we know it. What is calculated follows from these:
// 2 (keys and values) × layers with attention × heads × width of a head × 2 bytes.

const keysAndValues = (layers: number, heads: number, width: number): Figure =>
  calculated(2 * layers * heads * width * 2)

/** A linear-attention layer keeps a matrix per head in 32-bit floats, and the last three inputs of its convolution. */
const linearState = (layers: number, valueHeads: number, keyHeads: number): Figure =>
  calculated(layers * 4 * (valueHeads * 128 * 128 + 3 * 128 * (valueHeads + 2 * keyHeads)))

const none = calculated(0)

/** Until somebody has run them: `verify` tells for one machine. */
const unmeasured = 'not measured'

const qwen35 = {
  family: 'qwen3.5',
  layers: cited(32),
  kvBytesPerToken: keysAndValues(8, 4, 256),
  stateBytesPerRequest: linearState(24, 32, 16),
  nativeContext: cited(262_144),
} as const

const qwen36Dense = {
  family: 'qwen3.6',
  parameters: '27B',
  layers: cited(64),
  kvBytesPerToken: keysAndValues(16, 4, 256),
  kvBytesPerTokenMtp: keysAndValues(17, 4, 256),
  stateBytesPerRequest: linearState(48, 48, 16),
  nativeContext: cited(262_144),
  isChosen: true,
  isForCpu: false,
} as const
const qwen36DenseFile = {
  repository: 'unsloth/Qwen3.6-27B-MTP-GGUF',
  revision: '5cb35eb3dcbf52dbce5f87dbc64df6aaffadcace',
} as const

/** From the smallest to the largest: each needs more memory than the one before, and the operator gets the last that fits. */
export const presets: readonly Preset[] = [
  {
    name: 'qwen3-0.6b',
    family: 'qwen3',
    parameters: '0.6B',
    quantisation: 'Q8_0',
    source: {
      repository: 'Qwen/Qwen3-0.6B-GGUF',
      revision: '23749fefcc72300e3a2ad315e1317431b06b590a',
      file: 'Qwen3-0.6B-Q8_0.gguf',
      sha256: '9465e63a22add5354d9bb4b99e90117043c7124007664907259bd16d043bb031',
    },
    weightsBytes: cited(639_446_688),
    layers: cited(28),
    kvBytesPerToken: keysAndValues(28, 8, 128),
    stateBytesPerRequest: none,
    nativeContext: cited(40_960),
    toolCalling: 'not measured; meant for trying the way to the platform',
    isChosen: false,
    isForCpu: true,
  },
  {
    ...qwen35,
    name: 'qwen3.5-4b',
    parameters: '4B',
    quantisation: 'Q4_K_M',
    source: {
      repository: 'unsloth/Qwen3.5-4B-GGUF',
      revision: 'e87f176479d0855a907a41277aca2f8ee7a09523',
      file: 'Qwen3.5-4B-Q4_K_M.gguf',
      sha256: '00fe7986ff5f6b463e62455821146049db6f9313603938a70800d1fb69ef11a4',
    },
    weightsBytes: cited(2_740_937_888),
    toolCalling: unmeasured,
    isChosen: true,
    isForCpu: true,
  },
  {
    ...qwen35,
    name: 'qwen3.5-9b',
    parameters: '9B',
    quantisation: 'Q4_K_M',
    source: {
      repository: 'unsloth/Qwen3.5-9B-GGUF',
      revision: '3885219b6810b007914f3a7950a8d1b469d598a5',
      file: 'Qwen3.5-9B-Q4_K_M.gguf',
      sha256: '03b74727a860a56338e042c4420bb3f04b2fec5734175f4cb9fa853daf52b7e8',
    },
    weightsBytes: cited(5_680_522_464),
    toolCalling: unmeasured,
    isChosen: true,
    isForCpu: false,
  },
  {
    ...qwen35,
    name: 'qwen3.5-9b-q6',
    parameters: '9B',
    quantisation: 'Q6_K',
    source: {
      repository: 'unsloth/Qwen3.5-9B-GGUF',
      revision: '3885219b6810b007914f3a7950a8d1b469d598a5',
      file: 'Qwen3.5-9B-Q6_K.gguf',
      sha256: '91898433cf5ce0a8f45516a4cc3e9343b6e01d052d01f684309098c66a326c59',
    },
    weightsBytes: cited(7_458_301_152),
    toolCalling: unmeasured,
    isChosen: true,
    isForCpu: false,
  },
  {
    ...qwen36Dense,
    name: 'qwen3.6-27b',
    quantisation: 'Q4_K_M',
    source: {
      ...qwen36DenseFile,
      file: 'Qwen3.6-27B-Q4_K_M.gguf',
      sha256: 'a7cbd3ecc0e3f9b333edee61ae66bc87ed713c5d49587a8355814722ed329e0f',
    },
    weightsBytes: cited(17_106_773_120),
    toolCalling: unmeasured,
  },
  {
    name: 'qwen3.6-35b-a3b',
    family: 'qwen3.6',
    parameters: '35B, 3B active',
    quantisation: 'UD-Q4_K_M',
    source: {
      repository: 'unsloth/Qwen3.6-35B-A3B-MTP-GGUF',
      revision: '5bc3e238d916f48a861bac2f8a1990a0e9b7e98d',
      file: 'Qwen3.6-35B-A3B-UD-Q4_K_M.gguf',
      sha256: '0b21525e972670ed59e1812e170b27c26355381f0656ecc4e25617ece7dac58b',
    },
    weightsBytes: cited(22_663_387_424),
    layers: cited(40),
    kvBytesPerToken: keysAndValues(10, 2, 256),
    kvBytesPerTokenMtp: keysAndValues(11, 2, 256),
    stateBytesPerRequest: linearState(30, 32, 16),
    nativeContext: cited(262_144),
    toolCalling: unmeasured,
    isChosen: true,
    isForCpu: false,
  },
  {
    ...qwen36Dense,
    name: 'qwen3.6-27b-q6',
    quantisation: 'Q6_K',
    source: {
      ...qwen36DenseFile,
      file: 'Qwen3.6-27B-Q6_K.gguf',
      sha256: '773f1bf0be0589d056ce05476a8a135b50494a3f2ecc3f8f0c4f2c3594bba02e',
    },
    weightsBytes: cited(22_884_406_400),
    toolCalling: unmeasured,
  },
  {
    ...qwen36Dense,
    name: 'qwen3.6-27b-q8',
    quantisation: 'Q8_0',
    source: {
      ...qwen36DenseFile,
      file: 'Qwen3.6-27B-Q8_0.gguf',
      sha256: '9408dcb356cc061a05c139e5647cbde0698ff980c6a69f7fc214e9989f86cfa8',
    },
    weightsBytes: cited(29_047_084_160),
    toolCalling: unmeasured,
  },
]

export const findPreset = (name: string): Preset | undefined => presets.find((preset) => preset.name === name)
