# Builds the image for both processors, and tags it as a version: docs/run/releasing.md.
#   VERSION=1.0.0 IMAGE=registry.example.com/encryption-gallery docker buildx bake -f docker-bake.hcl --push

variable "VERSION" {
  default = ""
}

variable "IMAGE" {
  default = "encryption-gallery"
}

# The three numbers of VERSION. Bake stops if it has another form.
function "numbers" {
  params = [version]
  result = regex("^([0-9]+)[.]([0-9]+)[.]([0-9]+)$", version)
}

target "default" {
  context   = "."
  platforms = ["linux/amd64", "linux/arm64"]
  # 1, 1.0 and 1.0.0
  tags = [for count in [1, 2, 3] : "${IMAGE}:${join(".", slice(numbers(VERSION), 0, count))}"]
  labels = {
    "org.opencontainers.image.title"    = "Encryption"
    "org.opencontainers.image.version"  = VERSION
    "org.opencontainers.image.licenses" = "MIT"
  }
  attest = ["type=provenance,mode=max", "type=sbom"]
}
