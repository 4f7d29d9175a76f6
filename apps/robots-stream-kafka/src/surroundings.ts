// Declares what a run uses of its process: stderr, stdout, the environment, and the signal that ends the run.
export interface Surroundings {
  readonly say: (sentence: string) => void;
  readonly print: (text: string) => void;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
}
