// Loaded into a command by NODE_OPTIONS: throws an uncaught error on SIGUSR2.
process.on('SIGUSR2', () => {
  const error = new Error('a planted defect');
  if (process.env.PLANT === 'rejection') void Promise.reject(error);
  else throw error;
});
