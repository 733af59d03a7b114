declare module "*.md" {
  const address: string;
  export default address;
}
