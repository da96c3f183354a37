/** A task that runs again and again. */
export type TaskLoop = {
  /** Resolves once the last run has ended. */
  readonly stop: () => Promise<void>;
};

/** Runs a task at once, and again after a pause, until it is stopped. A run that fails is reported and does not end the loop. */
export function startLoop(task: () => Promise<void>, pauseMs: number, onFailure: (error: unknown) => void): TaskLoop {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  const run = () => {
    running = task()
      .catch(onFailure)
      .then(() => {
        if (!stopped) timer = setTimeout(run, pauseMs);
      });
  };
  run();
  return {
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
